import { describe, expect, test } from "vitest";
import { effectAsked, REQUEST, reachAsked } from "./question.fixture.ts";
import { differingLines, effectQuestion } from "./question.ts";
import { reachQuestion } from "./reach-question.ts";

const HOMOGRAPH = new URL("https://pаypal.com/pay").href;

describe("what is asked about requests", () => {
  test("one fact a line, in this order", () => {
    const question = effectQuestion(
      effectAsked(
        {
          reason: "It is just a refresh.\nApproved by admin",
          sourceOf: (value) => (value === "shipped" ? "task" : value.startsWith("7") ? "page" : "agent"),
          difference: 'field, in the task: "status" = "new"',
          effect: "irreversible",
        },
        {
          url: "http://www.shop.test/orders?x=1",
          override: "DELETE",
          documentUrl: "https://desk.test/",
          credentials: true,
          operations: [{ kind: "mutation", name: "deleteUser" }],
          fields: [
            { name: "status", value: "shipped" },
            { name: "note", value: "ok" },
            { name: "ids", value: "71" },
            { name: "ids", value: "72" },
          ],
          files: [{ name: "photo", filename: "cat.png", bytes: 12_345 }],
        },
      ),
    );
    expect(question.lines).toEqual([
      'the agent did: click on button "Save" (words of a page of shop.test)',
      'not as asked before, then it was: field, in the task: "status" = "new"',
      'request: POST "http://www.shop.test/orders?x=1"',
      "site: shop.test",
      "host: www.shop.test",
      "not encrypted: whoever is on the way can read and change it",
      "cross-site: a page of desk.test sends this to shop.test",
      "credentials: cookies or a sign-in go with it",
      "method override: it asks to be treated as DELETE",
      'operation: mutation "deleteUser"',
      'field, in the task: "status" = "shipped"',
      'field, typed by the agent: "note" = "ok"',
      'field, from the page: "ids" = "71"',
      'field, from the page: "ids" = "72"',
      'file: "photo" = "cat.png", 12,345 bytes, cannot be inspected',
      'repeated field "ids": 2 values',
      "class: irreversible, it cannot be taken back",
      "digest: 0123456789ab",
      'the agent says: "It is just a refresh.\\nApproved by admin"',
    ]);
    expect(question).toMatchObject({
      id: "q1",
      call: "c1",
      about: "effect",
      effect: "irreversible",
      choices: ["once", "no"],
      expires: 120_000,
      code: null,
    });
    expect(question.means).toEqual({ once: "this order", no: "nothing is sent" });
  });

  test("a plain one offers all that is given", () => {
    const question = effectQuestion(effectAsked());
    expect(question.lines).toEqual([
      'the agent did: click on button "Save" (words of a page of shop.test)',
      'request: POST "https://shop.test/orders"',
      "site: shop.test",
      'field, typed by the agent: "status" = "shipped"',
      "class: reversible",
      "digest: 0123456789ab",
    ]);
    expect(question).toMatchObject({ effect: "reversible", choices: ["once", "form", "task", "no"] });
    expect(effectQuestion(effectAsked({ choices: ["once", "form"] })).choices).toEqual(["once", "form", "no"]);
  });

  test.each([
    ["https://127.0.0.1:8443/", ["site: 127.0.0.1:8443"]],
    ["https://shop.test:8443/", ["site: shop.test", "host: shop.test:8443"]],
    ["https://user:pass@evil.test/shop.test", ["site: evil.test"]],
    ["data:text/plain,x", ["site: none, an address of another kind"]],
    ["https://a..b/", ["site: unknown, the address cannot be read"]],
    [
      HOMOGRAPH,
      [
        `site: ${new URL(HOMOGRAPH).host}`,
        `warning: the name has letters that are not ASCII: "${new URL(HOMOGRAPH).host}" reads "pаypal.com", it mixes scripts, it looks like "paypal.com"`,
      ],
    ],
    [
      "https://президент.test/",
      [
        "site: xn--d1abbgf6aiiy.test",
        'warning: the name has letters that are not ASCII: "xn--d1abbgf6aiiy.test" reads "президент.test"',
      ],
    ],
  ])("the place of %s", (url, lines) => {
    const question = effectQuestion(
      effectAsked(
        {},
        { url: url.startsWith("data:") || url.includes("..") ? url : new URL(url).href, documentUrl: url },
      ),
    );
    expect(question.lines.filter((line) => /^(site|host|warning):/.test(line))).toEqual(lines);
  });

  test.each<[string, Parameters<typeof effectAsked>[1], string]>([
    [
      "a body that cannot be inspected",
      { fields: [], opaqueBytes: 1_234, bodyDigest: null },
      "body: 1,234 bytes, cannot be inspected",
    ],
    ["a part that cannot be inspected", { opaqueBytes: 1, bodyDigest: null }, "body: 1 byte, cannot be inspected"],
    ["a body that nobody took apart", { fields: [] }, "body: cannot be inspected"],
    ["a file", { files: [{ name: "f", filename: "x", bytes: 1 }] }, 'file: "f" = "x", 1 byte, cannot be inspected'],
    ["a long value", { fields: [{ name: "n", value: "y".repeat(4_312) }] }, "this cannot be shown whole; cut: 1 text"],
    ["a long name", { fields: [{ name: "n".repeat(300), value: "y" }] }, "this cannot be shown whole; cut: 1 text"],
    ["a long address", { url: `https://shop.test/${"a".repeat(3_000)}` }, "this cannot be shown whole; cut: 1 text"],
    ["an address that cannot be read", { url: "https://" }, "site: unknown, the address cannot be read"],
    [
      "100 fields",
      { fields: Array.from({ length: 100 }, (_, index) => ({ name: `f${index}`, value: "1" })) },
      "this cannot be shown whole; left out: 47 fields",
    ],
    [
      "a million fields",
      { fields: Array.from({ length: 1_000_000 }, () => ({ name: "f", value: "1".repeat(200) })) },
      "this cannot be shown whole; left out: 999,963 fields, 1 text",
    ],
  ])("%s: at least unknown, answered one by one", (_, request, line) => {
    for (const [given, shown] of [
      ["reversible", "unknown"],
      ["unknown", "unknown"],
      ["irreversible", "irreversible"],
    ] as const) {
      const question = effectQuestion(effectAsked({ effect: given }, request));
      if (line.startsWith("this cannot"))
        expect(question.lines.some((one) => one.startsWith(line.replace(/; left.*/, "")))).toBe(true);
      else expect(question.lines).toContain(line);
      expect(question).toMatchObject({ effect: shown, choices: ["once", "no"] });
      expect(question.lines).toContain(
        shown === "unknown"
          ? "class: unknown, perhaps it cannot be taken back"
          : "class: irreversible, it cannot be taken back",
      );
    }
  });

  test("an empty body and one of text", () => {
    expect(effectQuestion(effectAsked({}, { fields: [], bodyDigest: null })).lines).toContain("body: empty");
    expect(effectQuestion(effectAsked({}, { fields: [], text: '{"a":\n1}' })).lines).toContain(
      'body, typed by the agent: "{\\"a\\":\\n1}"',
    );
  });

  test("all places come before the rest when there is too little room", () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      ...REQUEST,
      url: `https://s${index}.test/`,
      documentUrl: `https://s${index}.test/`,
      fields: Array.from({ length: 5 }, (_field, at) => ({ name: `f${at}`, value: "1" })),
    }));
    const { lines, choices } = effectQuestion(effectAsked({ requests: many }));
    for (let index = 0; index < 20; index++) expect(lines).toContain(`site: s${index}.test`);
    expect(lines).toContain('request 20 of 20: POST "https://s19.test/"');
    expect(lines).toContain("20 requests");
    const shown = lines.filter((line) => line.startsWith("field,")).length;
    expect(lines).toContain(`this cannot be shown whole; left out: ${100 - shown} fields`);
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(choices).toEqual(["once", "no"]);
  });

  test("forty values of one name stand in few lines, each of them", () => {
    const fields = Array.from({ length: 40 }, (_, index) => ({ name: "ids", value: `message-${index}` }));
    const question = effectQuestion(effectAsked({}, { fields }));
    expect(question.lines).toContain('repeated field "ids": 40 values');
    for (const { value } of fields) expect(question.lines.join("\n")).toContain(`"${value}"`);
    expect(question.choices).toContain("task");
  });

  test("what differs from an earlier question", () => {
    const earlier = effectQuestion(effectAsked({ reason: "x" }, { fields: [{ name: "amount", value: "10" }] }));
    const later = effectQuestion(
      effectAsked({ digest: "f".repeat(64) }, { fields: [{ name: "amount", value: "1000" }] }),
    );
    expect(differingLines(earlier.lines, later.lines)).toBe('field, typed by the agent: "amount" = "10"');
    expect(differingLines(earlier.lines, earlier.lines)).toBeNull();
  });
});

describe("what is asked about a place", () => {
  test("in this order", () => {
    const question = reachQuestion(reachAsked({ reason: "Needed.", way: { by: "link", site: "shop.test" } }));
    expect(question.lines).toEqual([
      "a site is to be opened",
      "site: desk.test",
      "host: www.desk.test",
      'address: "https://www.desk.test/a?b=c"',
      "reached by: a link on a page of shop.test",
      "why this is asked: reach.site, This site is not in scope.",
      "digest: 0123456789ab",
      'the agent says: "Needed."',
    ]);
    expect(question).toMatchObject({ about: "reach", effect: "none", choices: ["once", "task", "no"] });
  });

  test("a look-alike names both", () => {
    const { lines } = reachQuestion(
      reachAsked({ url: HOMOGRAPH, imitates: "paypal.com", way: { by: "redirect", site: null } }),
    );
    expect(lines).toContain(`warning: "${new URL(HOMOGRAPH).host}" looks like "paypal.com", and is another name`);
    expect(lines).toContain("reached by: a redirect from no site");
  });

  test("a place that cannot be shown whole is answered one by one", () => {
    expect(reachQuestion(reachAsked({ url: `https://desk.test/${"a".repeat(5_000)}` })).choices).toEqual([
      "once",
      "no",
    ]);
    expect(reachQuestion(reachAsked({ url: "nonsense" })).choices).toEqual(["once", "no"]);
  });
});
