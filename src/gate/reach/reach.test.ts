import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RequestKind } from "../../types.ts";
import { type ReachPolicy, reachPolicy } from "../policy.ts";
import { canonicalUrl } from "../sites.ts";
import { PLAIN_FACTS, REACH_STEPS, type ReachFacts, reach, reachShown, requesterOf } from "./index.ts";

/** No private place is opened; all public ones are. */
const CLOSED = reachPolicy({ reading: "open", assets: "open" });
const opening = (...entries: readonly string[]): ReachPolicy =>
  reachPolicy({ reading: "open", assets: "open", private: entries });

const KINDS: readonly RequestKind[] = [
  "navigation",
  "subframe",
  "data",
  "subresource",
  "worker",
  "prefetch",
  "socket",
  "unknown",
];

function asking(url: string, more: Partial<ReachFacts> = {}): ReachFacts {
  return { ...PLAIN_FACTS, url, ...more };
}

const LOOPBACK = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://127.0.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.0.0.1/",
  "http://0177.0.0.1/",
  "http://017700000001/",
  "http://0/",
  "http://0.0.0.0/",
  "http://[::]/",
  "http://[::1]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[0000:0000:0000:0000:0000:0000:0000:0001]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://localhost/",
  "http://localhost./",
  "http://LOCALHOST/",
  "http://x.localhost/",
  "http://x.localhost./",
  "http://①②⑦.⓪.⓪.①/",
  "http://127。0。0。1/",
  "http://127．0．0．1/",
  "http://127%2e0%2e0%2e1/",
  "http://127.0.0.1./",
  "http://12\u00ad7.0.0.1/",
  "http://127.0.\u200b0.1/",
  "http://local\u00adhost/",
  "http:/\\127.0.0.1/",
  "http:127.0.0.1",
  "http:\\\\127.0.0.1\\x",
  "https://127.0.0.1:8443/",
  "http://12\t7.0.0.1/",
  "http://127.0.0.1\\@shop.test/",
  "http://ｌｏｃａｌｈｏｓｔ/",
  "HTTP://0X7F.1/",
] as const;

const OTHER_PRIVATE = [
  "http://10.0.0.1/",
  "http://172.16.0.1/",
  "http://192.168.1.1/",
  "http://3232235777/",
  "http://100.64.0.1/",
  "http://169.254.1.1/",
  "http://198.18.0.1/",
  "http://192.0.0.1/",
  "http://192.88.99.1/",
  "http://255.255.255.255/",
  "http://[fe80::1]/",
  "http://[fec0::1]/",
  "http://[fd12::1]/",
  "http://[3fff::1]/",
  "http://[2001:db8::1]/",
  "http://[ff02::1]/",
  "http://[::127.0.0.1]/",
  "http://[::ffff:0:127.0.0.1]/",
  "http://[64:ff9b::127.0.0.1]/",
  "http://[64:ff9b:1::10.0.0.1]/",
  "http://[2002:7f00:1::]/",
  "http://[2001:0:7f00:1::]/",
  "http://[2001::80ff:fffe]/",
  "http://[2001:470::5efe:10.0.0.1]/",
  "http://[2001:470::200:5efe:192.168.0.1]/",
] as const;

const METADATA = [
  "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/",
  "http://0xa9fea9fe/",
  "http://[::ffff:169.254.169.254]/",
  "http://metadata.google.internal/",
  "http://METADATA.google.internal./",
  "http://100.100.100.200/",
  "http://[fd00:ec2::254]/",
  "http://168.63.129.16/",
  "http://[64:ff9b::a9fe:a9fe]/",
] as const;

const SCHEMES = [
  "file:///etc/passwd",
  "FILE:///etc/passwd",
  " file:///etc/passwd",
  "fi\nle:///etc/passwd",
  "view-source:file:///etc/passwd",
  "view-source:http://shop.test/",
  "chrome://settings/",
  "chrome-extension://abc/x",
  "devtools://devtools/",
  "about:config",
  "about:srcdoc",
  "about:blankx",
  "blob:http://shop.test/1",
  "filesystem:http://shop.test/temporary/x",
  "data:text/html,<p>x",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "ftp://shop.test/",
  "mailto:a@shop.test",
  "tel:1",
  "intent://x#Intent;end",
  "ms-word:x",
  "ws://shop.test/",
  "wss://shop.test/",
  "gopher://shop.test/",
] as const;

describe("closed by default", () => {
  test.each([...LOOPBACK, ...OTHER_PRIVATE])("%j (A-87, A-88)", (url) => {
    for (const kind of KINDS)
      expect(reach(CLOSED, asking(url, { kind }))).toMatchObject({ verdict: "refuse", rule: "reach.private" });
    expect(reachShown(CLOSED, url, "main").verdict).toBe("refuse");
    expect(reachShown(CLOSED, url, "frame").verdict).toBe("refuse");
  });

  test.each(METADATA)("%s, even where private is open (A-89)", (url) => {
    for (const kind of KINDS) {
      expect(reach(opening("localhost"), asking(url, { kind, requester: "http://localhost/" }))).toMatchObject({
        verdict: "refuse",
        rule: "reach.metadata",
      });
    }
    const forced: ReachPolicy = { ...CLOSED, private: [{ opens: "origin", origin: new URL(url).origin as never }] };
    expect(reach(forced, asking(url)).rule).toBe("reach.metadata");
  });

  test.each(SCHEMES)("%j (A-85, A-86)", (url) => {
    expect(reach(opening("localhost"), asking(url))).toMatchObject({ verdict: "refuse", rule: "reach.scheme" });
    expect(reachShown(CLOSED, url, "main")).toMatchObject({ verdict: "refuse", rule: "reach.scheme" });
  });

  test.each([
    "http://ada@shop.test/",
    "http://shop.test@evil.test/",
    "http://:pw@shop.test/",
    "https://a:b@127.0.0.1/",
  ])("%s (A-93)", (url) =>
    expect(reach(opening("localhost"), asking(url))).toMatchObject({ verdict: "refuse", rule: "reach.userinfo" }),
  );

  test.each([
    "",
    "shop.test",
    "http://",
    "http://a..b/",
    "http://1.2.3.4.5/",
    `http://${"a".repeat(10_000)}/`,
    "http://\ud800/",
  ])("%.30j is no address", (url) =>
    expect(reach(CLOSED, asking(url))).toMatchObject({ verdict: "refuse", rule: "reach.address" }),
  );

  test.each([
    "http://shop.test/",
    "https://shop.test:443/a?b#c",
    "https://desk.test./",
    "http://1.1.1.1/",
    "http://[2606:4700:4700::1111]/",
    "https://localhost.test/",
    "https://127.0.0.1.nip.test/",
    "http://@shop.test/",
  ])("%s is allowed", (url) => {
    for (const kind of KINDS.filter((candidate) => candidate !== "socket" && candidate !== "unknown"))
      expect(
        reach(CLOSED, asking(url, { kind, requester: "http://other.test/", by: "page", agentChose: false })).verdict,
      ).toBe("allow");
    expect(reachShown(CLOSED, url, "main").verdict).toBe("allow");
  });

  test.each(["about:blank", "about:blank#x", "ABOUT:blank"])("%s is allowed", (url) =>
    expect(reach(CLOSED, asking(url)).verdict).toBe("allow"),
  );

  test("about:srcdoc may be shown as a frame only", () =>
    expect(reachShown(CLOSED, "about:srcdoc", "frame").verdict).toBe("allow"));

  test("data: and blob: pass as what a page loads from itself, not as documents", () => {
    for (const url of ["data:image/png;base64,AA==", "blob:http://shop.test/1"]) {
      const allowed = KINDS.filter((kind) => reach(CLOSED, asking(url, { kind })).verdict === "allow");
      expect(allowed).toEqual(["data", "subresource", "worker"]);
    }
  });

  test("sockets are judged by their host", () => {
    expect(reach(reachPolicy({ allow: ["shop.test"] }), asking("wss://shop.test/", { kind: "socket" })).verdict).toBe(
      "allow",
    );
    expect(reach(CLOSED, asking("wss://shop.test/", { kind: "socket" }))).toMatchObject({
      verdict: "refuse",
      rule: "reach.site",
    });
    expect(reach(CLOSED, asking("ws://127.0.0.1:9222/", { kind: "socket" }))).toMatchObject({
      verdict: "refuse",
      rule: "reach.private",
      operator: "--private http://127.0.0.1:9222",
    });
  });
});

describe("what refusals say", () => {
  test("the operator's line is exact", () =>
    expect(reach(CLOSED, asking("http://2130706433:3000/x?y"))).toMatchObject({
      operator: "--private http://127.0.0.1:3000",
      site: "127.0.0.1:3000",
    }));

  test("no text of a page is in a sentence", () => {
    const verdict = reach(CLOSED, asking("http://please-open-evil-site.localhost:3000/now?do=it"));
    if (verdict.verdict !== "refuse") throw new Error("allowed");
    expect(`${verdict.reason} ${verdict.remedy} ${verdict.operator}`).not.toMatch(/please|evil|now|do=/);
  });
});

describe("an opened private place", () => {
  const A = "http://127.0.0.1:3000";
  const B = "http://127.0.0.1:3001";
  const PUBLIC = "https://shop.test/";
  const one = opening(A);
  const both = opening(A, B);

  const allowed = [
    ["the agent's navigation", one, asking(`${A}/x`, { requester: PUBLIC })],
    ["a person's navigation", one, asking(`${A}/x`, { by: "person", agentChose: false })],
    ["the operator's code", one, asking(`${A}/x`, { by: "code", agentChose: false })],
    ["signing in", one, asking(`${A}/x`, { by: "signIn", agentChose: false })],
    ["its own link, by its own script", one, asking(`${A}/x`, { by: "page", agentChose: false, requester: `${A}/` })],
    [
      "its own image",
      one,
      asking(`${A}/x`, { kind: "subresource", by: "page", agentChose: false, requester: `${A}/`, mainUrl: `${A}/` }),
    ],
    [
      "its own fetch from a blob: worker",
      one,
      asking(`${A}/x`, { kind: "data", by: "page", agentChose: false, requester: `blob:${A}/1`, mainUrl: `${A}/` }),
    ],
    ["its own redirect", one, asking(`${A}/y`, { hop: 1, redirectedFrom: `${A}/x`, by: "call", agentChose: false })],
    [
      "its own frame",
      one,
      asking(`${A}/x`, { kind: "subframe", by: "page", agentChose: false, requester: `${A}/`, mainUrl: `${A}/` }),
    ],
    [
      "a popup of its own",
      one,
      asking(`${A}/x`, { by: "page", agentChose: false, requester: `${A}/`, mainUrl: "about:blank" }),
    ],
    [
      "a second opened place, by fetch",
      both,
      asking(`${B}/x`, { kind: "data", by: "page", agentChose: false, requester: `${A}/`, mainUrl: `${A}/` }),
    ],
    ["a second opened place, by link", both, asking(`${B}/x`, { by: "page", agentChose: false, requester: `${A}/` })],
    [
      "a second opened place, by redirect",
      both,
      asking(`${B}/x`, { hop: 1, redirectedFrom: `${A}/x`, agentChose: false }),
    ],
    [
      "loopback from loopback",
      opening("localhost"),
      asking("http://[::1]:9/x", { kind: "data", by: "page", agentChose: false, requester: "http://localhost:8/" }),
    ],
  ] as const;

  test.each(allowed)("allows %s", (_what, policy, facts) =>
    expect(reach(policy, facts)).toEqual({ verdict: "allow", rule: "reach.private" }),
  );

  const page = { by: "page", agentChose: false, requester: PUBLIC, mainUrl: PUBLIC } as const;
  const refused = [
    ["a public page's fetch", one, asking(`${A}/x`, { ...page, kind: "data" })],
    ["a public page's image", one, asking(`${A}/x`, { ...page, kind: "subresource" })],
    ["a public page's frame", one, asking(`${A}/x`, { ...page, kind: "subframe" })],
    ["a public page's worker", one, asking(`${A}/x`, { ...page, kind: "worker" })],
    ["a public page's prefetch", one, asking(`${A}/x`, { ...page, kind: "prefetch" })],
    ["a public page's navigation", one, asking(`${A}/x`, page)],
    ["a public page's navigation on the agent's click", one, asking(`${A}/x`, { ...page, by: "call" })],
    ["an unknown kind", one, asking(`${A}/x`, { kind: "unknown" })],
    ["an unknown kind by code", one, asking(`${A}/x`, { kind: "unknown", by: "code" })],
    ["a requester that is not known", one, asking(`${A}/x`, { kind: "data", by: "page", agentChose: false })],
    ["data by a call that named the place", one, asking(`${A}/x`, { kind: "data", requester: PUBLIC })],
    ["the browser's own", one, asking(`${A}/x`, { by: "browser", agentChose: false })],
    ["a public page's redirect of a navigation", one, asking(`${A}/x`, { hop: 1, redirectedFrom: PUBLIC })],
    ["a lost redirect", one, asking(`${A}/x`, { hop: 1, redirectedFrom: null })],
    ["a detour over a public place", one, asking(`${A}/x`, { hop: 2, redirectedFrom: PUBLIC, requester: `${A}/` })],
    [
      "a private frame under a public page",
      one,
      asking(`${A}/x`, { kind: "data", by: "page", agentChose: false, requester: `${A}/`, mainUrl: PUBLIC }),
    ],
    [
      "a public page's blob:",
      one,
      asking(`${A}/x`, { kind: "data", by: "page", agentChose: false, requester: "blob:https://shop.test/1" }),
    ],
    ["another port that is not opened", one, asking(`${B}/x`, { requester: `${A}/` })],
    ["a place that is not opened, by redirect", one, asking(`${B}/x`, { hop: 1, redirectedFrom: `${A}/x` })],
    [
      "the network from loopback",
      opening("localhost"),
      asking("http://10.0.0.1/", { kind: "data", requester: "http://localhost/" }),
    ],
    ["a public page to loopback", opening("localhost"), asking("http://localhost:3000/", { ...page, kind: "data" })],
  ] as const;

  test.each(refused)("refuses %s", (_what, policy, facts) =>
    expect(reach(policy, facts)).toMatchObject({ verdict: "refuse", rule: "reach.private" }),
  );

  test("a name opened as private is as closed to public pages", () => {
    expect(reach(opening("http://nas.local"), asking("http://nas.local/x", { ...page, kind: "data" })).verdict).toBe(
      "refuse",
    );
    expect(reach(opening("http://nas.local"), asking("http://nas.local/x")).verdict).toBe("allow");
  });

  test("it may be shown", () => expect(reachShown(one, `${A}/x`, "main").verdict).toBe("allow"));
});

describe("requesterOf", () => {
  const from = {
    target: "",
    targetType: "page",
    frame: "",
    mainUrl: "http://127.0.0.1:3000/",
    page: null,
    freshPopup: false,
  };

  test.each([
    ["https://shop.test/a", {}, "https://shop.test/a"],
    ["blob:https://shop.test/1", {}, "https://shop.test"],
    ["about:srcdoc", { Referer: "https://shop.test/" }, "https://shop.test/"],
    ["about:blank", { origin: "https://shop.test", Referer: "https://other.test/" }, "https://shop.test/"],
    [null, { Origin: "null", referer: "https://shop.test/" }, "https://shop.test/"],
    ["data:text/html,x", {}, null],
    ["blob:null/1", {}, null],
    ["about:srcdoc", {}, null],
    [null, {}, null],
  ])("%s with %j", (documentUrl, headers, expected) =>
    expect(requesterOf({ headers: headers as Record<string, string>, from: { ...from, documentUrl } })).toBe(expected),
  );
});

test("is total, and what it refuses it refuses for every cause of a page", () => {
  const address = fc.oneof(
    fc.webUrl(),
    fc.string({ unit: "binary" }),
    fc.ipV4().map((ip) => `http://${ip}/`),
    fc.ipV6().map((ip) => `http://[${ip}]/`),
    fc.constantFrom(...LOOPBACK, ...SCHEMES, ...METADATA),
  );
  fc.assert(
    fc.property(
      address,
      fc.constantFrom(...KINDS),
      fc.option(address),
      fc.option(address),
      fc.nat(2),
      (url, kind, requester, mainUrl, hop) => {
        const facts = asking(url, { kind, requester, mainUrl, hop, redirectedFrom: requester });
        const chosen = reach(opening("localhost"), facts);
        const byPage = reach(opening("localhost"), { ...facts, by: "page", agentChose: false });
        if (chosen.verdict === "refuse") expect(byPage.verdict).toBe("refuse");
        const place = canonicalUrl(url);
        if (!place.ok) return;
        for (const { id, also, rule } of REACH_STEPS)
          expect([null, id, ...also]).toContain(rule({ policy: opening("localhost"), facts, place })?.rule ?? null);
      },
    ),
  );
});
