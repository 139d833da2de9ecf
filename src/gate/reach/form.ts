import type { Verdict } from "../../types.ts";
import type { CanonicalUrl } from "../sites.ts";
import { allow, refuseBy } from "../verdict.ts";
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
      if (facts.kind === "subresource" || facts.kind === "data" || facts.kind === "worker")
        return allow("reach.scheme");
      break;
  }
  return refuseBy("reach.scheme", "plain", null);
}

export function byUserInfo({ place }: Asked): Verdict | null {
  if (place.url.username === "" && place.url.password === "") return null;
  return refuseBy("reach.userinfo", "plain", place.site);
}

export function isAbout(parsed: CanonicalUrl, what: "blank" | "srcdoc"): boolean {
  return parsed.url.protocol === "about:" && parsed.url.pathname === what;
}
