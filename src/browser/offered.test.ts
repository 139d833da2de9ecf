import { expect, test } from "vitest";
import { newerOffer } from "./offered.ts";

const CHROMIUM = "/usr/lib/chromium/chromium";

const policy = (installed: string, candidate: string): string => `chromium:
  Installed: ${installed}
  Candidate: ${candidate}
  Version table:
     ${candidate} 500
        500 http://packages.test/debian stable/main amd64 Packages
 *** ${installed} 100
        100 /var/lib/dpkg/status
`;

test.each([
  ["150.0.7871.100-1~deb12u1", "156.0.8078.114-1~deb12u1", true],
  ["156.0.8078.99-1", "156.0.8078.114-1", true],
  ["99.0.1.2-1", "100.0.0.1-1", true],
  ["156.0.8078.114-1", "156.0.8078.114-1", false],
  ["156.0.8078.114-1", "156.0.8078.114-2", false],
  ["156.0.8078.114-1", "150.0.7871.100-1", false],
  ["(none)", "156.0.8078.114-1", false],
  ["150.0.7871.100-1", "(none)", false],
])("installed %s, candidate %s", async (installed, offered, isOffered) => {
  const told = await newerOffer(CHROMIUM, async (name) => policy(installed, offered).replace("chromium", name));
  expect(told).toEqual(isOffered ? { packageName: "chromium", installed, offered } : null);
});

test("without apt nothing is offered", async () => {
  expect(await newerOffer(CHROMIUM, async () => null)).toBeNull();
});

test("for a program that no package brought apt is not asked", async () => {
  const ask = () => Promise.reject(new Error("asked"));
  expect(await newerOffer("/somewhere/chrome", ask)).toBeNull();
});
