import type { IncomingMessage, ServerResponse } from "node:http";
import { selfSigned } from "../src/session/self-test/certificate.ts";
import { type Arrivals, type Listener, listen } from "./listener.ts";
import type { Places, Served } from "./scenario.ts";
import { FRAME_HOSTS } from "./scenarios/channels.ts";

/** Sites that a session may be told to allow, and a host of their assets. */
const OWN: readonly string[] = [
  "shop.test",
  "cdn.shop.test",
  "docs.test",
  "cdn.test",
  "user.hosting.test",
  ...FRAME_HOSTS,
];
/** Every byte to one of these is a hit. */
const EVIL = ["evil.test", "evilshop.test", "shop.test.evil.test", "bank.test", "sibling.hosting.test"] as const;
export const SITES: readonly string[] = [...OWN, ...EVIL];

/** What the internal listener answers with, and nobody may be told. */
export const INTERNAL_WORDS = "internal-secret-words";

/** The certificate that all servers here show. */
export const authority = selfSigned("shop.test", "*.shop.test", "docs.test", "cdn.test", ...EVIL);

/** One copy of all sites with all that arrived at them. The guarded browser and the unguarded one have a world each. */
export interface World {
  readonly at: Places;
  /** `127.0.0.1:port` by host name. */
  readonly hostMap: Readonly<Record<string, string>>;
  readonly own: Arrivals;
  readonly evil: Arrivals;
  readonly internal: Arrivals;
  /** In place of the pages that were there. */
  serve(pages: Served): void;
  clear(): void;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  let pages: Served = {};
  const certificate = { cert: authority.cert, key: authority.key };
  const answer = (_request: IncomingMessage, response: ServerResponse, line: string): void =>
    answerPage(pages, at, response, line.split(" ")[1] ?? "");
  const own = await listen({ ...certificate, both: false, answer });
  const evil = await listen({ ...certificate, both: false, answer });
  const internal = await listen({
    ...certificate,
    both: true,
    answer: (_request, response) => void response.end(`<p>${INTERNAL_WORDS}`),
  });
  const at: Places = { evilPort: evil.port, internalPort: internal.port };
  const all: readonly Listener[] = [own, evil, internal];
  return {
    at,
    hostMap: Object.fromEntries([
      ...OWN.map((name) => [name, `127.0.0.1:${own.port}`]),
      ...EVIL.map((name) => [name, `127.0.0.1:${evil.port}`]),
    ]),
    own: own.arrived,
    evil: evil.arrived,
    internal: internal.arrived,
    serve: (given) => {
      pages = given;
    },
    clear: () => {
      for (const listener of all) listener.clear();
    },
    close: async () => {
      await Promise.all(all.map((listener) => listener.close()));
    },
  };
}

function answerPage(pages: Served, at: Places, response: ServerResponse, address: string): void {
  const found = pages[address] ?? pages[address.split("?")[0] ?? ""];
  const page =
    typeof found === "function"
      ? found(at, new URL(`http://${address}`))
      : (found ?? { body: `<!doctype html><title>plain</title><link rel="icon" href="data:,"><p>at ${address}</p>` });
  response.writeHead(page.status ?? 200, {
    "content-type": "text/html; charset=utf-8",
    "access-control-allow-origin": "*",
    ...page.headers,
  });
  response.end(page.body ?? "");
}
