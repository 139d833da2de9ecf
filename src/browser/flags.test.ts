import fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "../errors.ts";
import { browserFlags, reasonedFlags } from "./flags.ts";

const base = { profile: "/tmp/p", headless: true, sandbox: true };
const proxyNames = ["--proxy-server", "--proxy-bypass-list", "--host-resolver-rules"];
const nameOf = (flag: string) => flag.split("=")[0] ?? "";

test("every flag has a reason", () => {
  for (const { name, why } of reasonedFlags) expect(why, name).toMatch(/^\S.{6,}/);
});

test.each([
  "--remote-debugging-pipe",
  "--no-startup-window",
  "--disable-back-forward-cache",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-quic",
  "--gaia-url=http://127.0.0.1:1",
  "--component-updater=url-source=http://127.0.0.1:1",
  "--disable-blink-features=FedCm,PaymentRequest,FetchLaterAPI,BackgroundFetch",
  "--user-data-dir=/tmp/p",
])("%s is always there, headless or not, with the sandbox or not", (flag) => {
  for (const headless of [true, false])
    for (const sandbox of [true, false]) expect(browserFlags({ ...base, headless, sandbox })).toContain(flag);
});

test("popup blocking stays on and no flag comes twice", () => {
  const flags = browserFlags({
    ...base,
    proxy: { host: "127.0.0.1", port: 8080, socketPort: 8081 },
    extraFlags: ["--lang=de"],
  });
  expect(flags).not.toContain("--disable-popup-blocking");
  expect(new Set(flags.map(nameOf)).size).toBe(flags.length);
});

test("features that must be off are off", () => {
  const features = browserFlags(base).find((flag) => flag.startsWith("--disable-features="));
  for (const name of [
    "AvoidCorsURLLoaderRestartOnRedirect",
    "FedCm",
    "NetworkTimeServiceQuerying",
    "AutofillServerCommunication",
  ])
    expect(features).toContain(name);
});

test("headless is asked for only when it is wanted, no-sandbox only when the sandbox is given up", () => {
  expect(browserFlags(base)).toContain("--headless");
  expect(browserFlags({ ...base, headless: false })).not.toContain("--headless");
  expect(browserFlags(base)).not.toContain("--no-sandbox");
  expect(browserFlags({ ...base, sandbox: false })).toContain("--no-sandbox");
});

test("a proxy brings its three flags, none without it", () => {
  expect(browserFlags({ ...base, proxy: { host: "127.0.0.1", port: 8080, socketPort: 8081 } })).toEqual(
    expect.arrayContaining([
      "--proxy-server=http=http://127.0.0.1:8080;https=http://127.0.0.1:8080;socks=http://127.0.0.1:8081",
      "--proxy-bypass-list=<-loopback>",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ]),
  );
  expect(
    browserFlags(base)
      .map(nameOf)
      .filter((name) => proxyNames.includes(name)),
  ).toEqual([]);
});

test.each([
  ["localhost", 80],
  ["10.0.0.1", 80],
  ["127.0.0.1,direct://", 80],
  ["127.0.0.1", 0],
  ["127.0.0.1", 70_000],
  ["127.0.0.1", 1.5],
  ["127.0.0.1", 8081],
])("a proxy at %s:%s is refused", (host, port) => {
  expect(() => browserFlags({ ...base, proxy: { host, port, socketPort: 8081 } })).toThrow(Failure);
  if (host === "127.0.0.1")
    expect(() => browserFlags({ ...base, proxy: { host, port: 8081, socketPort: port } })).toThrow(Failure);
});

test.each([
  "--no-sandbox",
  "--remote-debugging-port=1",
  "--proxy-server=direct://",
  "--disable-features=X",
  "--user-data-dir=/x",
  "-no-sandbox",
  "http://a.test",
  "--",
  "--a b",
  "--disable-quic=0",
  "--headless=old",
])("the extra flag %s is refused", (flag) => {
  for (const sandbox of [true, false])
    expect(() => browserFlags({ ...base, sandbox, extraFlags: [flag] })).toThrow(Failure);
});

test("whatever extra flags are given, ours keep their value or the call is refused", () => {
  const ours = browserFlags(base);
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.constantFrom(...ours).map((flag) => `${nameOf(flag)}=x`),
          fc.stringMatching(/^--[a-z-]{1,12}$/),
        ),
        { maxLength: 4 },
      ),
      (extraFlags) => {
        let flags: string[];
        try {
          flags = browserFlags({ ...base, extraFlags });
        } catch (error) {
          return Failure.is(error) && error.code === "bad_arguments";
        }
        return (
          ours.every((flag) => flags.filter((other) => nameOf(other) === nameOf(flag)).join() === flag) &&
          flags.every((flag) => flag.startsWith("--"))
        );
      },
    ),
  );
});
