import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuTime } from "../../test/cpu-time.ts";
import { isCredentialName, REDACTED, redactText, redactUrl } from "./redact.ts";

const CREDENTIAL_NAMES = [
  "token",
  "code",
  "signature",
  "sig",
  "key",
  "api_key",
  "apiKey",
  "API-KEY",
  "password",
  "passwd",
  "secret",
  "session",
  "sid",
  "auth",
  "access_token",
  "id_token",
  "refresh_token",
  "jwt",
  "state",
  "otp",
  "credential",
  "X-Amz-Signature",
  "X-Amz-Security-Token",
  "JSESSIONID",
  "PHPSESSID",
  "client_secret",
  "user[password]",
  "SAMLResponse",
  "code_verifier",
  "authorization",
  "user_otp",
  "oauth-sig",
  "csrf",
  "p%61ssword",
  "%74oken",
] as const;

const PLAIN_NAMES = [
  "page",
  "q",
  "postcode",
  "country_code",
  "sort_key",
  "author",
  "keyboard",
  "status",
  "option",
  "stateful",
  "design",
] as const;

describe("names of credentials", () => {
  test.each(CREDENTIAL_NAMES)("%s", (name) => expect(isCredentialName(decodeURIComponent(name))).toBe(true));
  test.each(PLAIN_NAMES)("not %s", (name) => expect(isCredentialName(name)).toBe(false));
});

describe("redactUrl", () => {
  test.each([
    ["https://shop.test/orders?page=2&q=blue%20kettle", "https://shop.test/orders?page=2&q=blue%20kettle"],
    ["https://ada:pw1234@shop.test/", "https://shop.test/"],
    ["https://shop.test/cb#access_token=abcdef", "https://shop.test/cb"],
    ["https://shop.test/cb?code=abcdef&page=2", `https://shop.test/cb?code=${REDACTED}&page=2`],
    ["https://shop.test/cb?token=abc;def&page=2", `https://shop.test/cb?token=${REDACTED}&page=2`],
    ["https://shop.test/reset/9f8e7d6c5b4a3f2e1d0c", `https://shop.test/reset/${REDACTED}`],
    [
      "https://shop.test/users/password-reset/MTIz/c5x8k2-4f6a9b2c1d",
      `https://shop.test/users/password-reset/MTIz/${REDACTED}`,
    ],
    [
      "https://hooks.slack.com/services/T0AAAAAAA/B0BBBBBBB/abcDEFghiJKLmnoPQRstuVWX",
      `https://hooks.slack.com/services/T0AAAAAAA/B0BBBBBBB/${REDACTED}`,
    ],
    [
      "https://chat.test/api/webhooks/123456789012345678/abc-DEF_123456789012345678901234",
      `https://chat.test/api/webhooks/${REDACTED}/${REDACTED}`,
    ],
    [
      "https://api.telegram.org/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1/getMe",
      `https://api.telegram.org/${REDACTED}/getMe`,
    ],
    ["https://code.test/raw/ghp_16C7e42F292c6912E7710c838347Ae178B4a/x", `https://code.test/raw/${REDACTED}/x`],
    ["https://shop.test/invite/summer-sale-2026", "https://shop.test/invite/summer-sale-2026"],
    ["https://shop.test/orders/12345678901234567890", "https://shop.test/orders/12345678901234567890"],
    ["https://shop.test/login/forgotten-password", "https://shop.test/login/forgotten-password"],
    ["https://shop.test/share/article/how-to-reset-it", "https://shop.test/share/article/how-to-reset-it"],
    ["https://shop.test/a;jsessionid=ABCDEF?x=1", `https://shop.test/a;jsessionid=${REDACTED}?x=1`],
    [
      "https://shop.test/login?next=%2Freset%3Ftoken%3Dabcdef%26a%3D1",
      `https://shop.test/login?next=%2Freset%3Ftoken%3D${REDACTED}%26a%3D1`,
    ],
    ["https://shop.test/?u=https%3A%2F%2Fada%3Apw1234%40b.test%2F", "https://shop.test/?u=https%3A%2F%2Fb.test%2F"],
    ["https://shop.test/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_-1/x", `https://shop.test/${REDACTED}/x`],
    ["https://shop.test/?x=Bearer%20abcdefgh", `https://shop.test/?x=Bearer%20${REDACTED}`],
    ["https://shop.test/?eyJhbGciOiJIUzI1NiJ9%2EeyJzdWIiOiIxIn0%2Eabc", `https://shop.test/?${REDACTED}`],
    ["data:text/html,hello", "data:(20 characters)"],
    ["javascript:alert(1)", "javascript:(19 characters)"],
    ["blob:https://shop.test/1234", "blob:https://shop.test"],
    ["about:blank", "about:blank"],
    ["not an address", "(not an address)"],
    ["", "(not an address)"],
  ])("%s", (url, expected) => expect(redactUrl(url)).toBe(expected));

  const secret = fc.stringMatching(/^[A-Za-z0-9_~.-]{12,40}$/);

  test("never leaves the value of a credential parameter, in a query, a fragment, a nested address", () => {
    fc.assert(
      fc.property(fc.constantFrom(...CREDENTIAL_NAMES), secret, fc.nat(3), (name, value, nesting) => {
        let url = `https://shop.test/a?x=1&${name}=${value}#${name}=${value}`;
        for (let level = 0; level < nesting; level++) url = `https://shop.test/a?next=${encodeURIComponent(url)}`;
        expect(redactUrl(url)).not.toContain(value);
      }),
    );
  });

  test("never leaves user-info", () => {
    fc.assert(
      fc.property(secret, secret, (user, password) => {
        expect(redactUrl(`https://${user}:${password}@shop.test/`)).toBe("https://shop.test/");
      }),
    );
  });

  test("never throws, and is bounded", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        (text) => void expect(redactUrl(text).length).toBeLessThanOrEqual(2_001),
      ),
    );
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        (url) => void expect(redactUrl(url).length).toBeLessThanOrEqual(2_001),
      ),
    );
    expect(redactUrl(`https://shop.test/?a=${"x".repeat(1_000_000)}`).length).toBe(2_001);
  });
});

describe("redactText", () => {
  test.each([
    [
      "navigating to https://ada:pw1234@shop.test/?token=abcdef&a=1 failed",
      `navigating to https://shop.test/?token=${REDACTED}&a=1 failed`,
    ],
    ['{"password": "hunter two", "user": "ada"}', `{"password": ${REDACTED}, "user": "ada"}`],
    ["authorization: Token abcdef ghi\nnext", `authorization: ${REDACTED}\nnext`],
    ["Cookie: a=1; b=2", `Cookie: ${REDACTED}`],
    ["got Bearer abcdefghijkl back", `got Bearer ${REDACTED} back`],
    ["the code of conduct: read it", "the code of conduct: read it"],
    ["page=2", "page=2"],
  ])("%s", (text, expected) => expect(redactText(text)).toBe(expected));

  test("never leaves the value", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("password", "api_key", "access_token", "otp"),
        fc.stringMatching(/^[A-Za-z0-9]{12,40}$/),
        fc.constantFrom("=", ": ", '":"'),
        (name, value, sign) => {
          expect(redactText(`before {"${name}${sign}${value}" after`)).not.toContain(value);
        },
      ),
    );
  });

  test("takes linear time for hostile text", () => {
    for (const unit of ["eyJ", "a=", "token=", '"a', "http://a@", "password:'", "%3D"]) {
      const spentMs = cpuTime();
      redactText(unit.repeat(500_000));
      expect(spentMs()).toBeLessThan(1_000);
    }
  });
});
