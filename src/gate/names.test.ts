import { domainToUnicode } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuTime } from "../../test/cpu-time.ts";
import { parseSite } from "./entry.ts";
import { imitated, isMixedScript, knownNames, skeleton } from "./lookalike.ts";
import { toUnicodeHost } from "./punycode.ts";
import { listedHosts, sensitive } from "./sensitive.ts";
import { SENSITIVE_CLASSES, SENSITIVE_SITES } from "./sensitive-sites.ts";
import { sitesOfText } from "./task.ts";

const ascii = (host: string): string => new URL(`http://${host}/`).hostname;

describe("look-alikes", () => {
  const named = knownNames(["shop.test", "www.desk.test", "paypal.com", "google.com", "1.1.1.1"]);
  test.each<[string, string | null]>([
    ["sh0p.test", "shop.test"],
    ["shopp.test", "shop.test"],
    ["hsop.test", "shop.test"],
    ["www.sh0p.test", "shop.test"],
    ["shop.test.evil.test", "shop.test"],
    ["login.shop.test.evil.test", "shop.test"],
    ["раураl.com", "paypal.com"],
    ["pаypal.com", "paypal.com"],
    ["paypa1.com", "paypal.com"],
    ["paypál.com", "paypal.com"],
    ["paypai.com", "paypal.com"],
    ["gооgle.com", "google.com"],
    ["ɡoogle.com", "google.com"],
    ["desk.test", null],
    ["shop.test", null],
    ["www.shop.test", null],
    ["other.test", null],
    ["evilshop.test", null],
    ["google.com.br", null],
    ["1.1.1.2", null],
  ])("%s: %j", (host, expected) => expect(imitated(ascii(host), named, [])).toBe(expected));

  test("of the sensitive list", () => {
    const listed = knownNames(listedHosts);
    expect(imitated("sberbannk.ru", [], listed)).toBe("sberbank.ru");
    expect(imitated("rn1crosoftonline.com".replace("1", "i"), [], listed)).toBe("microsoftonline.com");
    for (const host of listedHosts) expect(imitated(host, [], listed)).toBeNull();
  });

  test.each<[string, boolean]>([
    ["раураl.com", true],
    ["pаypal.test", true],
    ["президент.test", false],
    ["日本語カタカナabc.test", false],
    ["한국어abc.test", false],
    ["bücher.test", false],
    ["αpple.test", true],
  ])("%s mixes scripts: %j", (host, expected) => expect(isMixedScript(ascii(host))).toBe(expected));

  test("a skeleton is its own skeleton", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 20 }),
        (text) => void expect(skeleton(skeleton(text))).toBe(skeleton(text)),
      ),
    );
  });

  test("Punycode is read as the platform reads it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."abcxyz0-üßéяжλ漢字かな한국語עثไ𝒳🙂"), minLength: 1, maxLength: 12 }),
        (label) => {
          if (!URL.canParse(`http://${label}.test/`)) return;
          const host = ascii(`${label}.test`);
          expect(toUnicodeHost(host)).toBe(domainToUnicode(host) || host);
        },
      ),
    );
    for (const odd of ["xn--", "xn---", "xn--a", "xn--99999999", "xn--\u0000", `xn--${"9".repeat(60)}`])
      expect(typeof toUnicodeHost(`${odd}.test`)).toBe("string");
  });
});

describe("sensitive places", () => {
  test.each([
    ["mail.google.com", "mail"],
    ["accounts.google.com", "identity"],
    ["perplexity.ai", "account"],
    ["www.perplexity.ai", "account"],
    ["hana.com", "bank"],
    ["kbstar.com", "bank"],
    ["obank.kbstar.com", "bank"],
    ["shinhan.com", "bank"],
    ["paypal.com", "payment"],
    ["portal.azure.com", "cloud"],
    ["vault.bitwarden.com", "passwords"],
    ["bank.test", "bank"],
    ["my-bank.test", "bank"],
    ["webmail.corp.test", "mail"],
    ["login2.corp.test", "identity"],
    [ascii("우리은행.test"), "bank"],
    [ascii("мой-банк.test"), "bank"],
    [ascii("网上银行.test"), "bank"],
  ])("%s is of class %s", (host, kind) => expect(sensitive(host, [], [])).toMatchObject({ kind }));

  test.each([
    "shop.test",
    "google.com",
    "www.google.com",
    "evilperplexity.ai",
    "foodbanks.test",
    "bankruptcy.test",
    "blackmail.test",
    "mailing.test",
    "1.1.1.1",
    "docs.aws.amazon.com",
  ])("%s is none", (host) => expect(sensitive(host, [], [])).toBeNull());

  test("the operator adds and takes away", () => {
    expect(sensitive("x.hr.test", [parseSite("hr.test", "sensitive.add")], [])).toMatchObject({
      by: "list",
      host: "hr.test",
    });
    expect(sensitive("mail.google.com", [], [parseSite("mail.google.com", "sensitive.remove")])).toBeNull();
    expect(
      sensitive(
        "a.mail.google.com",
        [parseSite("a.mail.google.com", "sensitive.add")],
        [parseSite("google.com", "sensitive.remove")],
      ),
    ).not.toBeNull();
  });

  test("the list holds canonical hosts, each once and in every class", () => {
    for (const kind of SENSITIVE_CLASSES) expect(SENSITIVE_SITES[kind].length).toBeGreaterThan(0);
    for (const host of listedHosts) expect([host, parseSite(host, "allow").host]).toEqual([host, host]);
    expect(listedHosts.filter((host, index) => listedHosts.indexOf(host) !== index)).toEqual([]);
  });
});

describe("sites that a text names", () => {
  test.each<[string, readonly string[]]>([
    ["Order the blue kettle at shop.test.", ["shop.test"]],
    [
      "Compare https://www.shop.test/kettles?x=1, (desk.test) and “Bücher.de”!",
      ["shop.test", "desk.test", "xn--bcher-kva.de"],
    ],
    ["see http://shop.test:8080/x", ["shop.test:8080"]],
    ["한국은 shop.test에서, https://desk.test에서 사세요", ["desk.test", "shop.test"]],
    ["쇼핑은 https://shop.test/ 에서", ["shop.test"]],
    ["mail ada@shop.test about it", []],
    ["read README.md, main.py and notes.txt; version 1.2.3; e.g. this", []],
    ["https://readme.md/ is one", ["readme.md"]],
    ["http://shop.test@evil.test/", []],
    ["http://127.0.0.1:3000/ and localhost and 10.0.0.1 and http://169.254.169.254/", []],
    ["https://1.1.1.1/", ["1.1.1.1"]],
    ["com and co.uk", []],
    ["shop.test shop.test SHOP.TEST", ["shop.test"]],
    ["", []],
  ])("%j", (text, hosts) =>
    expect(sitesOfText(text).sites.map(({ host, port }) => (port === null ? host : `${host}:${port}`))).toEqual(hosts),
  );

  test("whole addresses are kept", () =>
    expect(sitesOfText("see https://shop.test/a?b=c.").urls).toEqual(["https://shop.test/a?b=c"]));

  test("any text, quickly", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void sitesOfText(text)));
    const spentMs = cpuTime();
    for (const part of ["a.", "a-", "http://a", "é.", "a@"]) sitesOfText(part.repeat(10_000));
    expect(spentMs()).toBeLessThan(3_000);
  });
});
