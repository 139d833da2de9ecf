import { entryText } from "./entry.ts";
import type { ReachPolicy } from "./policy.ts";
import type { PrivateEntry } from "./private.ts";

const MAX_NAMES = 12;

/**
 * What the policy enforces, in a few lines for the model: the operator's own words and fixed ones, never more than is
 * refused at the wire.
 */
export function describeReach(policy: ReachPolicy, isObserved: boolean): readonly string[] {
  const names = policy.scope.map(entryText);
  const isBound = policy.kinds.has("navigation") && policy.reading !== "open";
  const lines = [
    "Only http and https addresses open, on the ports 80 and 443 and those that the operator named. Private and loopback addresses are closed.",
    ...(policy.private.length === 0
      ? []
      : [`The operator opened these private places: ${listed(policy.private.map(privateText))}.`]),
    ...(policy.block.length === 0
      ? []
      : [`Blocked, for every kind of request: ${listed(policy.block.map(entryText))}.`]),
  ];
  if (isObserved) return [...lines, "Other sites are recorded and not refused."];
  if (names.length > 0)
    lines.push(`Sites in scope: ${listed(names)}${policy.subdomains ? ", with subdomains" : ", without subdomains"}.`);
  else if (!policy.scopeGiven && isBound) lines.push("No site is named: the first one you open comes into scope.");
  if (isBound)
    lines.push(
      policy.scopeGiven && names.length === 0
        ? "No public site is in scope: all are refused."
        : "Other public sites are refused.",
    );
  else
    lines.push(
      "Other public sites may be opened, but none for banking, mail, sign-in, health or payment, and none that looks like another.",
    );
  return lines;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(", ");
  return names.length <= MAX_NAMES ? shown : `${shown} and ${names.length - MAX_NAMES} more`;
}

function privateText(entry: PrivateEntry): string {
  return entry.opens === "localhost" ? "localhost" : entry.origin;
}
