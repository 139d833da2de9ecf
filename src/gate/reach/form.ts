import type { Verdict } from "../../types.ts";
import type { CanonicalUrl } from "../sites.ts";
import { allow, refuse } from "../verdict.ts";
import type { Asked } from "./asked.ts";

export function byScheme({ facts, place }: Asked): Verdict | null {
  switch (place.url.protocol) {
    case "http:":
    case "https:":
      return null;
    case "ws:":
    case "wss:":
      if (facts.kind === "socket") return null;
      break;
    case "about:":
      if (isAbout(place, "blank")) return allow("reach.scheme");
      break;
    case "data:":
    case "blob:":
      // Bytes that the page already has: nothing leaves. As a document they are refused.
      if (facts.kind === "subresource" || facts.kind === "data" || facts.kind === "worker") return allow("reach.scheme");
      break;
  }
  return refuse("reach.scheme", { reason: "Only http and https addresses are opened.", remedy: "Use an http or https address.", operator: null, site: null });
}

export function byUserInfo({ place }: Asked): Verdict | null {
  if (place.url.username === "" && place.url.password === "") return null;
  return refuse("reach.userinfo", {
    reason: "The address has a user name or password in front of the host.",
    remedy: "Leave out the part before the @, after checking which host follows it.",
    operator: null,
    site: place.site,
  });
}

export function isAbout(parsed: CanonicalUrl, what: "blank" | "srcdoc"): boolean {
  return parsed.url.protocol === "about:" && parsed.url.pathname === what;
}
