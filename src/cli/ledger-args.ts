import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "../config/index.ts";
import type { Given, OwnOption } from "./command.ts";

const HASH = /^[0-9a-f]{64}$/;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_SHOWN_CHARACTERS = 60;

export interface LedgerFilters {
  readonly call: string | null;
  readonly kind: string | null;
  readonly refused: boolean;
  readonly site: string | null;
}

/** What `chaperone ledger` was asked for. Texts of files are as they were read. */
export type LedgerArgs = { readonly file: string; readonly json: boolean; readonly keyPem: string | null } & (
  | {
      readonly action: "verify";
      readonly held: { readonly hash: string; readonly seq?: number | undefined } | null;
      readonly unfinished: boolean;
    }
  | { readonly action: "show"; readonly html: string | null; readonly filters: LedgerFilters }
  | { readonly action: "receipt"; readonly receipt: string }
  | { readonly action: "verify-receipt"; readonly text: string }
);

/** Which of them each action takes. */
const OPTIONS: Readonly<Record<LedgerArgs["action"], readonly string[]>> = {
  verify: ["--json", "--key", "--checkpoint", "--unfinished"],
  show: ["--json", "--key", "--html", "--call", "--kind", "--refused", "--site"],
  receipt: ["--key"],
  "verify-receipt": ["--json", "--key"],
};

export const ledgerOptions: readonly OwnOption[] = [
  {
    name: "--key",
    argument: "FILE",
    does: "the public key that must have signed, in PEM; without it that of this installation, where there is one",
  },
  {
    name: "--checkpoint",
    argument: "FILE|HASH",
    does: "verify: a hash, a checkpoint or a receipt that was kept elsewhere; the ledger must hold it",
  },
  {
    name: "--unfinished",
    does: "verify: a missing closing record is no fault (the session still runs, or is known to have ended suddenly)",
  },
  { name: "--json", does: "prints JSON" },
  { name: "--html", argument: "FILE", does: "show: writes a report to open in a browser" },
  { name: "--call", argument: "CALL", does: "show: only what belongs to this call, for instance c3" },
  { name: "--kind", argument: "KIND", does: "show: only records of this kind, for instance request" },
  { name: "--refused", does: "show: only what was refused" },
  { name: "--site", argument: "SITE", does: "show: only what concerns this site" },
];

/** Throws ConfigError for what does not fit together or cannot be read. */
export function ledgerArgs({ words, options }: Given): LedgerArgs {
  const [action = "", file = "", receipt, ...more] = words;
  if (!isAction(action))
    throw new ConfigError(
      `ledger does ${Object.keys(OPTIONS).join(", ")}, got ${JSON.stringify(action.slice(0, MAX_SHOWN_CHARACTERS))}`,
    );
  const isTooMuch = more.length > 0 || (receipt !== undefined && action !== "receipt");
  if (isTooMuch) throw new ConfigError(`ledger ${action} takes ${action === "receipt" ? "FILE RECEIPT" : "one FILE"}`);
  for (const name of options.keys())
    if (!OPTIONS[action].includes(name))
      throw new ConfigError(`ledger ${action} has no ${name}: it takes ${OPTIONS[action].join(", ")}`);
  checkFile(file);
  const text = (name: string): string | null => textOf(options, name);
  const key = text("--key");
  const common = { file, json: options.has("--json"), keyPem: key === null ? null : smallFile(key) };
  switch (action) {
    case "verify":
      return { ...common, action, held: heldOf(text("--checkpoint")), unfinished: options.has("--unfinished") };
    case "show":
      return {
        ...common,
        action,
        html: text("--html"),
        filters: {
          call: text("--call"),
          kind: text("--kind"),
          refused: options.has("--refused"),
          site: text("--site"),
        },
      };
    case "receipt":
      if (receipt === undefined) throw new ConfigError("ledger receipt takes FILE RECEIPT");
      return { ...common, action, receipt };
    case "verify-receipt":
      return { ...common, action, text: smallFile(file) };
    default:
      return action satisfies never;
  }
}

function isAction(word: string): word is LedgerArgs["action"] {
  return Object.hasOwn(OPTIONS, word);
}

function textOf(options: Given["options"], name: string): string | null {
  const given = options.get(name);
  if (given === "") throw new ConfigError(`${name} must not be empty`);
  return typeof given === "string" ? given : null;
}

function heldOf(given: string | null): { readonly hash: string; readonly seq?: number | undefined } | null {
  if (given === null) return null;
  if (HASH.test(given)) return { hash: given };
  let value: unknown;
  try {
    value = JSON.parse(smallFile(given));
  } catch (error) {
    if (ConfigError.is(error)) throw error;
  }
  if (typeof value === "object" && value !== null && "checkpoint" in value) value = value.checkpoint;
  if (
    typeof value !== "object" ||
    value === null ||
    !("hash" in value) ||
    typeof value.hash !== "string" ||
    !HASH.test(value.hash)
  )
    throw new ConfigError(
      `--checkpoint must be a hash (64 hexadecimal digits) or a file with a checkpoint or a receipt, ${given} is neither`,
    );
  return { hash: value.hash, seq: "seq" in value && typeof value.seq === "number" ? value.seq : undefined };
}

function checkFile(path: string): void {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw new ConfigError(`there is no file ${path}`);
  if (!facts.isFile()) throw new ConfigError(`${path} is not a regular file`);
}

function smallFile(path: string): string {
  checkFile(path);
  if (statSync(path).size > MAX_FILE_BYTES) throw new ConfigError(`${path} is too large for this`);
  return readFileSync(path, "utf8");
}
