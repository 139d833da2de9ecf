import { describe, expect, test } from "vitest";
import { describeReach } from "./describe.ts";
import { type ReachSettings, reachPolicy } from "./policy.ts";
import { PLAIN_FACTS, reach } from "./reach/index.ts";

/**
 * Each sentence that can be said, a policy that says it, and what must then be so: addresses that open and addresses
 * that do not.
 */
const SENTENCES: readonly (readonly [
  sentence: string,
  settings: ReachSettings,
  opens: readonly string[],
  refused: readonly string[],
])[] = [
  [
    "Only http and https addresses open, on the ports 80 and 443 and those that the operator named. Private and loopback addresses are closed.",
    { allow: ["shop.test", "shop.test:8443"] },
    ["http://shop.test/", "https://shop.test/", "https://shop.test:8443/"],
    [
      "file:///x",
      "data:text/html,x",
      "https://shop.test:9000/",
      "http://127.0.0.1/",
      "http://localhost/",
      "http://10.0.0.1/",
    ],
  ],
  [
    "The operator opened these private places: http://127.0.0.1:3000.",
    { private: ["http://127.0.0.1:3000"] },
    ["http://127.0.0.1:3000/"],
    ["http://127.0.0.1:3001/", "https://127.0.0.1:3000/"],
  ],
  [
    "Blocked, for every kind of request: ads.test.",
    { allow: ["shop.test"], block: ["ads.test"], reading: "open" },
    ["https://other.test/"],
    ["https://x.ads.test/"],
  ],
  [
    "Sites in scope: shop.test, desk.test, with subdomains.",
    { allow: ["shop.test", "desk.test"] },
    ["https://a.shop.test/", "https://desk.test/"],
    ["https://evilshop.test/"],
  ],
  [
    "Sites in scope: shop.test, without subdomains.",
    { allow: ["shop.test"], includeSubdomains: false },
    ["https://shop.test/"],
    ["https://a.shop.test/"],
  ],
  [
    "Sites in scope: shop.test, with subdomains.",
    { task: "Look at shop.test, then rest." },
    ["https://shop.test/"],
    [],
  ],
  ["Other public sites are refused.", { allow: ["shop.test"] }, [], ["https://other.test/", "https://1.1.1.1/"]],
  ["Other public sites are refused.", { allow: ["shop.test"], reading: "listed" }, [], ["https://other.test/"]],
  ["No public site is in scope: all are refused.", { allow: [] }, [], ["https://shop.test/"]],
  ["No public site is in scope: all are refused.", { allow: [], reading: "open" }, [], ["https://shop.test/"]],
  [
    "Other public sites may be opened, but none for banking, mail, sign-in, health or payment, and none that looks like another.",
    { allow: ["shop.test"], reading: "open" },
    ["https://other.test/"],
    [
      "https://bank.test/",
      "https://mail.google.com/",
      "https://login.test/",
      "https://doctolib.de/",
      "https://paypal.com/",
      "https://sh0p.test/",
    ],
  ],
];

test.each(SENTENCES)("%s %j", (sentence, settings, opens, refused) => {
  const policy = reachPolicy(settings);
  expect(describeReach(policy, false)).toContain(sentence);
  const verdictOf = (url: string): string => reach(policy, { ...PLAIN_FACTS, url }).verdict;
  for (const url of opens) expect([url, verdictOf(url)]).toEqual([url, "allow"]);
  for (const url of refused) expect([url, verdictOf(url)]).toEqual([url, "refuse"]);
});

describe("every sentence", () => {
  const said = [
    ...SENTENCES.map(([, settings]) => settings),
    {},
    { reading: "open" as const },
    { reach: ["data" as const] },
    { allow: Array.from({ length: 40 }, (_unused, index) => `s${index}.test`) },
  ].flatMap((settings) => [
    ...describeReach(reachPolicy(settings), false),
    ...describeReach(reachPolicy(settings), true),
  ]);

  test("is in the table, first use and observe aside", () => {
    const known = new Set(SENTENCES.map(([sentence]) => sentence));
    const others = new Set(
      said.filter((sentence) => !known.has(sentence) && !sentence.startsWith("Sites in scope: shop.test, ")),
    );
    expect([...others].sort()).toEqual([
      "No site is named: the first one you open comes into scope.",
      "Other sites are recorded and not refused.",
      "Sites in scope: s0.test, s1.test, s2.test, s3.test, s4.test, s5.test, s6.test, s7.test, s8.test, s9.test, s10.test, s11.test and 28 more, with subdomains.",
    ]);
  });
});
