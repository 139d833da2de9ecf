import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EFFECT_RULES } from "../rules/index.ts";
import { main } from "./main.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "chaperone-reach-cli-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function run(
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  let out = "";
  let err = "";
  const io = {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
    env: { XDG_CONFIG_HOME: home },
  };
  const code = await main(argv, io);
  return { code, out, err };
}

/** Verdict and rule of each request. */
async function rules(...argv: readonly string[]): Promise<readonly string[]> {
  const { out } = await run("explain", ...argv, "--json");
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { verdict: string; rule: string })
    .map(({ verdict, rule }) => `${verdict} ${rule}`);
}

describe("explain", () => {
  test("names the rule for each address, and what would allow it", async () => {
    const { code, out, err } = await run(
      "explain",
      "http://2130706433/",
      "http://169.254.169.254/",
      "http://shop.test@evil.test/",
      "file:///etc/passwd",
      "--allow",
      "shop.test",
    );
    expect([code, err]).toEqual([3, ""]);
    expect(out.split("\n").filter((line) => line.includes("refuse"))).toEqual([
      "  refuse  reach.private: The address is on this machine or in a private network, which is closed.",
      "  refuse  reach.metadata: This is the metadata service of a cloud machine.",
      "  refuse  reach.userinfo: The address has a user name or password in front of the host.",
      "  refuse  reach.scheme: Only http and https addresses are opened.",
    ]);
    expect(out).toContain("host 127.0.0.1");
    expect(out).toContain("to allow it: --private http://127.0.0.1");
  });

  test("is done when all are allowed", async () => {
    const { code, out } = await run("explain", "https://shop.test/x?token=abcdefgh#part", "--allow", "shop.test");
    expect(code).toBe(0);
    expect(out).toContain("allow  reach.scope");
    expect(out).not.toContain("abcdefgh");
  });

  test("names the rules of effects that may follow, in their order, for what may change something", async () => {
    const effects = async (...argv: readonly string[]): Promise<readonly (readonly string[])[]> => {
      const { out } = await run("explain", ...argv, "--json", "--allow", "shop.test");
      const lines = out.trim().split("\n");
      return lines.map((line) =>
        (JSON.parse(line) as { effects: readonly { rule: string }[] }).effects.map(({ rule }) => rule),
      );
    };
    const [post = [], get, refused, socket = []] = await effects(
      "POST data https://shop.test/",
      "https://shop.test/",
      "POST data https://other.test/",
      "socket wss://shop.test/",
    );
    expect([get, refused]).toEqual([[], []]);
    const order: readonly string[] = EFFECT_RULES.map(({ id }) => id);
    for (const named of [post, socket]) expect(named).toEqual(order.filter((id) => named.includes(id)));
    expect(post).toEqual(
      expect.arrayContaining(["effects.denied", "effects.readLike", "effects.serious", "effects.plain"]),
    );
    expect(post).not.toContain("effects.get");
    expect(socket).toContain("effects.socket");
    expect((await run("explain", "POST data https://shop.test/", "--allow", "shop.test")).out).toContain(
      "    effects.typed: ask\n",
    );
  });

  test.each<[readonly string[], readonly string[]]>([
    [["https://shop.test/"], ["allow reach.firstUse"]],
    [["https://bank.test/"], ["refuse reach.sensitive"]],
    [["https://other.test/", "--allow", "shop.test"], ["refuse reach.site"]],
    [["https://other.test/", "--allow", "shop.test", "--reading", "open"], ["allow reach.open"]],
    [["https://other.test/", "--task", "compare shop.test with other.test"], ["allow reach.scope"]],
    [["POST data https://other.test/", "--allow", "shop.test", "--from", "https://shop.test/"], ["refuse reach.site"]],
    [
      ["data https://api.shop.test/", "--allow", "www.shop.test", "--from", "https://www.shop.test/"],
      ["allow reach.own"],
    ],
    [["subframe https://idp.test/", "--allow", "shop.test", "--from", "https://shop.test/"], ["allow reach.frame"]],
    [
      ["subresource https://cdn.test/a.js", "--allow", "shop.test", "--from", "https://shop.test/"],
      ["refuse reach.asset"],
    ],
    [["https://shop.test:8443/", "--allow", "shop.test"], ["refuse reach.port"]],
    [["https://ads.shop.test/", "--allow", "shop.test", "--block", "ads.shop.test"], ["refuse reach.block"]],
    [
      ["http://shop.test:9999/", "--allow", "shop.test", "--host-map", "shop.test=127.0.0.1:8080"],
      ["allow reach.scope"],
    ],
    [["https://sh0p.test/", "--allow", "shop.test", "--reading", "open"], ["refuse reach.lookalike"]],
  ])("%j", async (argv, expected) => expect(await rules(...argv)).toEqual(expected));

  test.each([
    [["explain"], "missing required argument"],
    [["explain", "POST"], "is refused below"],
    [["explain", "POST images https://shop.test/"], "a request is an address"],
    [["explain", "https://shop.test/", "--allow", "*.shop.test"], "has a wildcard"],
    [["explain", "https://shop.test/", "--allow", "shop.test", "--block", "shop.test"], "is in block too"],
  ] as const)("%j is wrong use, or no address", async (argv, message) => {
    const { code, err, out } = await run(...argv);
    if (message === "is refused below") expect([code, out]).toEqual([3, expect.stringContaining("reach.address")]);
    else expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("allow", () => {
  const file = (name = "config.jsonc"): string => join(home, "chaperone", name);
  const given = (text: string, name?: string): void => {
    mkdirSync(join(home, "chaperone"), { recursive: true });
    writeFileSync(file(name), text);
  };
  const read = (name?: string): string => readFileSync(file(name), "utf8");

  test("makes a file of the user's own", async () => {
    const { code, out } = await run("allow", "https://Shop.test/");
    expect(code).toBe(0);
    expect(out).toContain(file());
    expect(read()).toBe('{\n  "allow": [\n    "https://shop.test"\n  ]\n}\n');
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await rules("https://shop.test/", "http://shop.test/")).toEqual(["allow reach.scope", "refuse reach.site"]);
  });

  test.each([
    [
      "config.jsonc",
      '{\n  // ours\n  "allow": ["shop.test"], // and more\n  "reading": "listed"\n}\n',
      ["// ours", "// and more", '"reading": "listed"'],
    ],
    ["config.json", '{ "idleMinutes": 5 }', ['"idleMinutes": 5']],
    [
      "config.yaml",
      "# ours\nallow:\n  - shop.test # and more\nreading: listed\n",
      ["# ours", "# and more", "reading: listed"],
    ],
    ["config.yml", "# only words\n", ["# only words"]],
    ["config.json", "", []],
  ])("keeps what else is in %s %#", async (name, text, kept) => {
    given(text, name);
    chmodSync(file(name), 0o640);
    expect((await run("allow", "desk.test")).code).toBe(0);
    for (const part of kept) expect(read(name)).toContain(part);
    expect(statSync(file(name)).mode & 0o777).toBe(0o640);
    expect(await rules("https://desk.test/")).toEqual(["allow reach.scope"]);
    if (text.includes("shop.test")) expect(await rules("https://shop.test/")).toEqual(["allow reach.scope"]);
  });

  test("a second time changes nothing, nor does a subdomain of what is there", async () => {
    await run("allow", "shop.test");
    const before = read();
    for (const site of ["shop.test", "SHOP.test.", "www.shop.test"])
      expect((await run("allow", site)).out).toContain("already");
    expect(read()).toBe(before);
  });

  test("follows a link to the file that it names", async () => {
    const real = join(home, "real.jsonc");
    writeFileSync(real, "{}");
    mkdirSync(join(home, "chaperone"));
    symlinkSync(real, file());
    expect((await run("allow", "shop.test")).code).toBe(0);
    expect(readFileSync(real, "utf8")).toContain("shop.test");
  });

  test("edits the file of --config", async () => {
    const other = join(home, "other.yaml");
    writeFileSync(other, "reading: listed\n");
    expect((await run("allow", "shop.test", "--config", other)).code).toBe(0);
    expect(readFileSync(other, "utf8")).toBe("reading: listed\nallow:\n  - shop.test\n");
  });

  test.each([
    "*.shop.test",
    "",
    "shop test",
    "com",
    "127.0.0.1",
    "https://shop.test/cart",
    "a".repeat(10_000),
    "sh\ud800p.test",
  ])("%.20j is refused and nothing is written", async (site) => {
    given('{ "allow": ["shop.test"] }');
    const { code, err } = await run("allow", site);
    expect([code, err]).toEqual([2, expect.stringContaining("allow")]);
    expect(read()).toBe('{ "allow": ["shop.test"] }');
  });

  test("a file that is broken is not touched", async () => {
    given('{ "allow": [');
    expect((await run("allow", "shop.test")).code).toBe(2);
    expect(read()).toBe('{ "allow": [');
  });
});
