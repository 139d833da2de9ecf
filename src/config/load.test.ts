import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import type { Origin } from "../types.ts";
import { ConfigError } from "./error.ts";
import type { FlagValues } from "./layers.ts";
import { configFromObject, type Loaded, type LoadOptions, loadConfig } from "./load.ts";
import type { ConfigInput, KeyPath } from "./shape.ts";
import { FACES, type Face } from "./table.ts";

let home: string;
let managed: string;
const uid = process.getuid?.() ?? 0;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "chaperone-config-"));
  managed = join(home, "etc");
  mkdirSync(managed, { mode: 0o755 });
  mkdirSync(join(home, ".config/chaperone"), { recursive: true });
  mkdirSync(join(home, "work"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function load(options: Partial<LoadOptions> = {}): Loaded {
  return loadConfig({
    face: "mcp",
    env: {},
    platform: "linux",
    homedir: home,
    cwd: join(home, "work"),
    managed: { directory: managed, ownerUid: uid },
    ...options,
  });
}

function fromObject(input: unknown, face: Face = "library"): Loaded {
  return configFromObject(face, input as ConfigInput, {
    env: {},
    platform: "linux",
    homedir: home,
    cwd: join(home, "work"),
    managed: { directory: managed, ownerUid: uid },
  });
}

function write(path: string, text: string | Uint8Array, mode = 0o644): string {
  const whole = join(home, path);
  writeFileSync(whole, text);
  chmodSync(whole, mode);
  return whole;
}

const user = (text: string) => write(".config/chaperone/config.jsonc", text);
const policy = (text: string) => write("etc/policy.json", text);
const flags = (...given: readonly (readonly [KeyPath, true | readonly string[]])[]): FlagValues => new Map(given);

function problem(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (ConfigError.is(error)) return error.message.replaceAll(home, "~");
    throw error;
  }
  return "no error";
}

describe("defaults", () => {
  it("are those of the face", () => {
    const expected = {
      allow: undefined,
      block: [],
      task: undefined,
      reading: "asked",
      reach: ["navigation", "data"],
      includeSubdomains: true,
      assets: "seen",
      helpers: [],
      sensitive: { add: [], remove: [] },
      mode: undefined,
      profile: "guarded",
      approve: [],
      questionSeconds: 120,
      effects: { allow: [], readLike: [] },
      sites: [],
      hostMap: {},
      private: [],
      tools: "standard",
      maxContentTokens: 4000,
      actionTimeoutMs: 5000,
      navigationTimeoutMs: 60_000,
      idleMinutes: undefined,
      results: "both",
      browser: { path: undefined, headless: true, sandbox: true, cdpUrl: undefined, proxy: undefined, ca: undefined },
      ledger: { file: undefined, values: false },
    };
    const approve = { mcp: ["elicitation", "console"], run: ["console", "terminal"], read: [], library: [] };
    for (const face of FACES) {
      const reading = face === "run" || face === "read" ? "open" : "asked";
      const mode = face === "read" ? "read" : undefined;
      expect(load({ face }).config).toStrictEqual({
        ...expected,
        reading,
        mode,
        approve: approve[face],
        idleMinutes: face === "mcp" ? 30 : undefined,
      });
    }
    expect(fromObject({}).config).toStrictEqual(expected);
  });

  it("have the types of the table", () => {
    const { config } = load();
    expectTypeOf(config.browser).toEqualTypeOf<{
      readonly path: string | undefined;
      readonly headless: boolean;
      readonly sandbox: boolean;
      readonly cdpUrl: string | undefined;
      readonly proxy: string | undefined;
      readonly ca: string | undefined;
    }>();
    expectTypeOf(config.private).toEqualTypeOf<readonly (Origin | "localhost")[]>();
    expectTypeOf(config.results).toEqualTypeOf<"both" | "text" | "structured">();
    expectTypeOf(config.maxContentTokens).toEqualTypeOf<number>();
    expectTypeOf(config.idleMinutes).toEqualTypeOf<number | undefined>();
    expectTypeOf<{ browser: { headless: false }; private: string[] }>().toExtend<ConfigInput>();
    expectTypeOf<{ results: "all" }>().not.toExtend<ConfigInput>();
  });

  it("cannot be changed by who reads them", () => {
    const { config } = load();
    expect(() => Object.assign(config.browser, { sandbox: false })).toThrow(TypeError);
    expect(Object.isFrozen(config.private)).toBe(true);
  });
});

describe("precedence", () => {
  const file = `{ "maxContentTokens": 1000 }`;
  const env = { CHAPERONE_MAX_CONTENT_TOKENS: "2000" };
  const flag = flags(["maxContentTokens", ["3000"]]);
  const cases: readonly [string, { file?: string; policy?: string } & Partial<LoadOptions>, number, string][] = [
    ["default", {}, 4000, "default"],
    ["file over default", { file }, 1000, "~/.config/chaperone/config.jsonc:1"],
    ["environment over file", { file, env }, 2000, "CHAPERONE_MAX_CONTENT_TOKENS"],
    ["flag over environment", { file, env, flags: flag }, 3000, "--max-content-tokens"],
    [
      "policy below flag",
      { file, env, flags: flag, policy: `{ "maxContentTokens": 1500 }` },
      1500,
      "~/etc/policy.json:1",
    ],
    [
      "policy above flag",
      { file, env, flags: flag, policy: `{ "maxContentTokens": 5000 }` },
      3000,
      "--max-content-tokens",
    ],
    ["policy below default", { policy: `{ "maxContentTokens": 1500 }` }, 1500, "~/etc/policy.json:1"],
  ];
  it.each(cases)("%s", (_, { file: text, policy: bound, ...options }, value, source) => {
    if (text !== undefined) user(text);
    if (bound !== undefined) policy(bound);
    const loaded = load(options);
    expect(loaded.config.maxContentTokens).toBe(value);
    expect(loaded.sources.get("maxContentTokens")?.replace(home, "~")).toBe(source);
  });

  it("replaces a weaker list and does not add to it", () => {
    user(`{ "private": ["http://127.0.0.1:1", "http://127.0.0.1:2"] }`);
    expect(load({ env: { CHAPERONE_PRIVATE: "http://127.0.0.1:3" } }).config.private).toEqual(["http://127.0.0.1:3"]);
  });

  it("lets a stronger switch set both sides", () => {
    user(`{ "browser": { "headless": false } }`);
    expect(load().config.browser.headless).toBe(false);
    expect(load({ env: { CHAPERONE_HEADED: "false" } }).config.browser.headless).toBe(true);
    expect(
      load({ env: { CHAPERONE_HEADED: "false" }, flags: flags(["browser.headless", true]) }).config.browser.headless,
    ).toBe(false);
  });
});

describe("the file", () => {
  const jsonc = `// the shop\n{ "private": ["localhost",], /* why */ "browser": { "headless": false }, "$schema": "./x.json" }`;
  const yaml = `# the shop\nprivate: [localhost]\nbrowser:\n  headless: false\n`;
  it.each([
    ["config.jsonc", jsonc],
    ["config.json", jsonc],
    ["config.yaml", yaml],
    ["config.yml", yaml],
    ["config.json", `\uFEFF${jsonc}`],
    ["config.yaml", `\uFEFF${yaml}`],
  ])("%s is read from the user's directory", (name, text) => {
    write(`.config/chaperone/${name}`, text);
    const { config } = load();
    expect([config.private, config.browser.headless]).toEqual([["localhost"], false]);
  });

  it.each(["", "  \n", "// nothing", "{}"])("%j says nothing", (text) => {
    user(text);
    expect(load().config).toEqual(load({ homedir: join(home, "nobody") }).config);
  });

  it("is read from XDG_CONFIG_HOME when that is absolute, and never from the working directory", () => {
    mkdirSync(join(home, "xdg/chaperone"), { recursive: true });
    write("xdg/chaperone/config.json", `{ "maxContentTokens": 1111 }`);
    for (const name of ["config.json", "chaperone.json", "policy.json"])
      write(`work/${name}`, `{ "maxContentTokens": 2222 }`);
    mkdirSync(join(home, "work/chaperone"));
    write("work/chaperone/config.json", `{ "maxContentTokens": 2222 }`);
    expect(load({ env: { XDG_CONFIG_HOME: join(home, "xdg") } }).config.maxContentTokens).toBe(1111);
    expect(load({ env: { XDG_CONFIG_HOME: "." } }).config.maxContentTokens).toBe(4000);
    expect(load({ homedir: "" }).config.maxContentTokens).toBe(4000);
  });

  it("is replaced by the one that is named, relative to the working directory", () => {
    user(`{ "maxContentTokens": 1111, "actionTimeoutMs": 1 }`);
    write("work/mine", `maxContentTokens: 2222`);
    write("work/other", ` { "maxContentTokens": 3333 }`);
    expect(load({ configFile: "mine" }).config).toMatchObject({ maxContentTokens: 2222, actionTimeoutMs: 5000 });
    expect(load({ env: { CHAPERONE_CONFIG: "other" } }).config.maxContentTokens).toBe(3333);
    expect(load({ env: { CHAPERONE_CONFIG: "missing" }, configFile: "mine" }).config.maxContentTokens).toBe(2222);
  });

  it("has relative paths that start where it stands", () => {
    user(`{ "ledger": { "file": "l.jsonl" }, "browser": { "path": "~/bin/chromium" } }`);
    expect(load().config.ledger.file).toBe(join(home, ".config/chaperone/l.jsonl"));
    expect(load().config.browser.path).toBe(join(home, "bin/chromium"));
    expect(load({ flags: flags(["ledger.file", ["l.jsonl"]]) }).config.ledger.file).toBe(join(home, "work/l.jsonl"));
    expect(fromObject({ ledger: { file: "l.jsonl" } }).config.ledger.file).toBe(join(home, "work/l.jsonl"));
  });

  it("may hold keys of another face", () => {
    user(`{ "results": "text" }`);
    expect(load({ face: "run" }).config.results).toBe("text");
    expect(problem(() => fromObject({ results: "text" }))).toBe(
      "options: results means nothing here: it belongs to mcp",
    );
  });

  it("must be the only one", () => {
    user("{}");
    write(".config/chaperone/config.yaml", "");
    expect(problem(load)).toBe(
      "~/.config/chaperone/config.jsonc and ~/.config/chaperone/config.yaml are both there: keep one",
    );
  });

  it("must be readable text of a sane size", () => {
    expect(problem(() => load({ configFile: "none.json" }))).toBe("~/work/none.json: no such file");
    expect(problem(() => load({ configFile: "." }))).toBe("~/work: is a directory, not a file");
    write("work/latin.json", Uint8Array.from([0x7b, 0xff, 0x7d]));
    expect(problem(() => load({ configFile: "latin.json" }))).toBe("~/work/latin.json: not UTF-8 text");
    write("work/huge.json", `{ "private": ["${"x".repeat(1_048_576)}"] }`);
    expect(problem(() => load({ configFile: "huge.json" }))).toBe("~/work/huge.json: larger than 1048576 bytes");
    symlinkSync("nowhere", join(home, ".config/chaperone/config.jsonc"));
    expect(problem(load)).toBe("~/.config/chaperone/config.jsonc: no such file");
  });
});

describe("the managed policy", () => {
  const narrowed: readonly [string, string, unknown, unknown][] = [
    ["private", `["http://127.0.0.1:1"]`, ["http://127.0.0.1:1", "http://127.0.0.1:2"], ["http://127.0.0.1:1"]],
    ["private", `["http://127.0.0.1:1", "http://10.0.0.1"]`, ["localhost", "http://10.0.0.2"], ["http://127.0.0.1:1"]],
    [
      "private",
      `["localhost"]`,
      ["http://127.0.0.9:1", "http://[::1]", "http://a.localhost:2", "http://10.0.0.2"],
      ["http://127.0.0.9:1", "http://[::1]", "http://a.localhost:2"],
    ],
    ["private", `["http://127.0.0.1:1"]`, undefined, []],
    ["private", `[]`, ["localhost"], []],
    ["private", `["http://127.0.0.1"]`, ["https://127.0.0.1", "http://127.0.0.1:8080"], []],
    ["actionTimeoutMs", "100", 200, 100],
    ["actionTimeoutMs", "200", 100, 100],
    ["idleMinutes", "5", undefined, 5],
  ];
  it.each(narrowed)("%s %s narrows %j to %j", (key, bound, given, left) => {
    policy(`{ "${key}": ${bound} }`);
    const { config, notes } = fromObject(given === undefined ? {} : { [key]: given });
    expect(Object.entries(config).find(([name]) => name === key)?.[1]).toEqual(left);
    expect(notes.length).toBe(given === undefined || JSON.stringify(given) === JSON.stringify(left) ? 0 : 1);
  });

  it("keeps the sandbox on, and says so", () => {
    policy(`{ "browser": { "sandbox": true } }`);
    const { config, notes, sources } = load({ flags: flags(["browser.sandbox", true]) });
    expect(config.browser.sandbox).toBe(true);
    expect(notes.map((note) => note.replaceAll(home, "~"))).toEqual([
      "~/etc/policy.json:1 narrows browser.sandbox from --no-sandbox to true",
    ]);
    expect(sources.get("browser.sandbox")?.replace(home, "~")).toBe("~/etc/policy.json:1");
  });

  const wrong: readonly [string, string][] = [
    [
      `{\n "browser": { "sandbox": false } }`,
      "~/etc/policy.json:2: browser.sandbox false would widen: a managed policy may only narrow",
    ],
    [
      `{ "browser": { "path": "/x" } }`,
      "~/etc/policy.json:1: browser.path has no place in a managed policy: it could not narrow anything",
    ],
    [`{ "blok": [] }`, "~/etc/policy.json:1: unknown key blok (did you mean block?)"],
    [`{`, "~/etc/policy.json:1: not valid JSON: a closing brace is missing"],
  ];
  it.each(wrong)("%s is an error", (text, expected) => {
    policy(text);
    expect(problem(load)).toBe(expected);
    expect(problem(() => fromObject({}))).toBe(expected);
  });

  it("is trusted only when nobody else can have written it", () => {
    const message = (path: string) =>
      `${path}: a managed policy must belong to ${uid === 0 ? "root" : `user ${uid}`} and be writable by nobody else`;
    policy("{}");
    expect(problem(load)).toBe("no error");
    expect(problem(() => load({ managed: { directory: managed, ownerUid: uid + 1 } }))).toContain(
      "must belong to user",
    );
    chmodSync(join(managed, "policy.json"), 0o664);
    expect(problem(load)).toBe(message("~/etc/policy.json"));
    chmodSync(join(managed, "policy.json"), 0o644);
    chmodSync(managed, 0o777);
    expect(problem(load)).toBe(message("~/etc"));
  });

  it("is not passed over when it is a dangling link", () => {
    symlinkSync("nowhere", join(managed, "policy.yaml"));
    expect(problem(load)).toBe("~/etc/policy.yaml: no such file");
  });
});

describe("what is wrong is named, with where it stands", () => {
  const files: readonly [string, string][] = [
    [`{ "privat": [] }`, "config.jsonc:1: unknown key privat (did you mean private?)"],
    [
      `{\n  "browser": {\n    "headles": true } }`,
      "config.jsonc:3: unknown key browser.headles (did you mean browser.headless?)",
    ],
    [`{ "headless": true }`, "config.jsonc:1: unknown key headless (did you mean browser.headless?)"],
    [`{ "browser.headless": true }`, "config.jsonc:1: unknown key browser.headless (did you mean browser.headless?)"],
    [`{ "alow": ["shop.test"] }`, "config.jsonc:1: unknown key alow (did you mean allow?)"],
    [`{ "budgets": {} }`, "config.jsonc:1: unknown key budgets"],
    [`{ "__proto__": { "private": ["localhost"] } }`, "config.jsonc:1: unknown key __proto__"],
    [`{ "browser": { "__proto__": { "sandbox": false } } }`, "config.jsonc:1: unknown key browser.__proto__"],
    [`{ "constructor": { "prototype": {} } }`, "config.jsonc:1: unknown key constructor"],
    [`{ "a\\nb\\u001b[31m": 1 }`, 'config.jsonc:1: unknown key "a\\nb\\u001b[31m"'],
    [`{ "browser": { "sandbox": true,\n "sandbox": false } }`, "config.jsonc:2: browser.sandbox is given twice"],
    [`{ "browser": true }`, "config.jsonc:1: browser must be an object with keys, got true"],
    [`{ "browser": null }`, "config.jsonc:1: browser must be an object with keys, got null"],
    [`[]`, "config.jsonc: must be an object with keys, got a list of 0"],
    [`{ "browser": { "sandbox": "no" } }`, 'config.jsonc:1: browser.sandbox must be true or false, got "no"'],
    [
      `{ "private": "localhost" }`,
      'config.jsonc:1: private must be a list, each localhost or an origin such as http://127.0.0.1:3000, got "localhost"',
    ],
    [
      `{ "private": ["localhost",\n "ftp://x"] }`,
      'config.jsonc:2: private must be a list, each localhost or an origin such as http://127.0.0.1:3000, got "ftp://x"',
    ],
    [
      `{ "private": ["http://ada:pw@10.0.0.1"] }`,
      'config.jsonc:1: private must be a list, each localhost or an origin such as http://127.0.0.1:3000, got "http://…@10.0.0.1"',
    ],
    [
      `{ "maxContentTokens": 1e999 }`,
      "config.jsonc:1: maxContentTokens must be a whole number of tokens from 500 to 200000, got Infinity",
    ],
    [
      `{ "actionTimeoutMs": -1 }`,
      "config.jsonc:1: actionTimeoutMs must be a whole number of milliseconds from 1 to 3600000, got -1",
    ],
    [
      `{ "actionTimeoutMs": 1.5 }`,
      "config.jsonc:1: actionTimeoutMs must be a whole number of milliseconds from 1 to 3600000, got 1.5",
    ],
    [`{ "idleMinutes": 0 }`, "config.jsonc:1: idleMinutes must be a number of minutes above 0, at most 10080, got 0"],
    [`{ "results": "txt" }`, 'config.jsonc:1: results must be both, text or structured, got "txt"'],
    [`{ "ledger": { "file": "" } }`, 'config.jsonc:1: ledger.file must be a path, got ""'],
    [
      `{ "browser": { "path": "${"x".repeat(5000)}" } }`,
      `config.jsonc:1: browser.path must be a path, got "${"x".repeat(60)}…"`,
    ],
    [`{\n "private": [\n}`, "config.jsonc:3: not valid JSON: a value is expected"],
    [`{ private: [] }`, "config.jsonc:1: not valid JSON: unexpected word"],
    [`${"[".repeat(100_000)}`, "config.jsonc: cannot be read, it is nested too deeply or refers to itself"],
    [`{ "private": ${"[".repeat(40)}${"]".repeat(40)} }`, "config.jsonc:1: nested too deeply"],
  ];
  it.each(files.map(([text, expected]) => ({ text, expected })))("$expected", ({ text, expected }) => {
    user(text);
    expect(problem(load)).toBe(`~/.config/chaperone/${expected}`);
  });

  const yamlFiles: readonly [string, RegExp][] = [
    ["browser:\n  headles: true\n", /config.yaml:2: unknown key browser.headles \(did you mean browser.headless\?\)$/],
    ["browser:\n  sandbox: yes\n", /config.yaml:2: browser.sandbox must be true or false, got "yes"$/],
    [
      "private: &a [localhost]\nbrowser: *a\n",
      /config.yaml:2: an alias \(\*a\) cannot be used here, write the value out$/,
    ],
    ["results: text\nresults: both\n", /config.yaml:2: not valid YAML: Map keys must be unique/],
    ["private:\n  - localhost\n - x\n", /config.yaml:\d: not valid YAML: /],
    ["private: !!js/function 'x'\n", /config.yaml:1: not valid YAML: Unresolved tag/],
    ["__proto__:\n  private: [localhost]\n", /config.yaml:1: unknown key __proto__$/],
    ["results: text\n---\nresults: both\n", /config.yaml:\d: not valid YAML: /],
    ["? [a]\n: 1\n", /config.yaml:1: a key must be a name$/],
    ["<<: { results: text }\n", /config.yaml:1: unknown key "<<"$/],
    ["just words\n", /config.yaml: must be an object with keys, got "just words"$/],
    ["maxContentTokens: .inf\n", /config.yaml:1: maxContentTokens must be .*, got Infinity$/],
  ];
  it.each(yamlFiles)("%j", (text, expected) => {
    write(".config/chaperone/config.yaml", text);
    expect(problem(load)).toMatch(expected);
  });

  const variables: readonly [string, string, string][] = [
    [
      "CHAPERONE_PRIVTE",
      "localhost",
      "unknown environment variable CHAPERONE_PRIVTE (did you mean CHAPERONE_PRIVATE?)",
    ],
    ["CHAPERONE_WHATEVER", "shop.test", "unknown environment variable CHAPERONE_WHATEVER"],
    ["CHAPERONE_HEADED", "yes", 'CHAPERONE_HEADED must be true or false, got "yes"'],
    [
      "CHAPERONE_MAX_CONTENT_TOKENS",
      "4k",
      'CHAPERONE_MAX_CONTENT_TOKENS must be a whole number of tokens from 500 to 200000, got "4k"',
    ],
    [
      "CHAPERONE_PRIVATE",
      "localhost,,",
      'CHAPERONE_PRIVATE must be a list, each localhost or an origin such as http://127.0.0.1:3000, got ""',
    ],
    ["CHAPERONE_PRIVATE", "x".repeat(70_000), "CHAPERONE_PRIVATE: longer than 65536 characters"],
  ];
  it.each(variables.map(([name, text, expected]) => ({ name, text, expected })))(
    "$expected",
    ({ name, text, expected }) => {
      expect(problem(() => load({ env: { [name]: text } }))).toBe(expected);
    },
  );

  const options: readonly [KeyPath, readonly string[], string][] = [
    [
      "private",
      ["localhost", "localhost:3000"],
      '--private must be a list, each localhost or an origin such as http://127.0.0.1:3000, got "localhost:3000"',
    ],
    ["results", ["all"], '--results must be both, text or structured, got "all"'],
    ["actionTimeoutMs", ["5s"], '--action-timeout must be a whole number of milliseconds from 1 to 3600000, got "5s"'],
    ["browser.path", ["--headed"], "--browser needs PATH, got the option --headed"],
    ["browser.path", ["a", "b"], "--browser is given 2 times: give it once"],
    ["browser.path", [], "--browser needs PATH"],
  ];
  it.each(options)("%s %j", (path, given, expected) => {
    expect(problem(() => load({ flags: flags([path, given]) }))).toBe(expected);
  });

  it("in a program's object too", () => {
    expect(problem(() => fromObject({ browser: { headles: true } }))).toBe(
      "options: unknown key browser.headles (did you mean browser.headless?)",
    );
    expect(problem(() => fromObject({ $schema: "x" }))).toBe("options: unknown key $schema");
    expect(problem(() => fromObject(null))).toBe("options: must be an object with keys, got null");
    expect(problem(() => fromObject({ private: () => {} }))).toMatch(/got a function$/);
    expect(fromObject({ private: undefined, browser: undefined, idleMinutes: 0.01 }).config).toMatchObject({
      private: [],
      idleMinutes: 0.01,
    });
  });
});

describe("environment", () => {
  it("has lists with commas, switches, and counts empty as not set", () => {
    const env = {
      CHAPERONE_PRIVATE: "localhost, http://10.0.0.1:80",
      CHAPERONE_NO_SANDBOX: "1",
      CHAPERONE_RESULTS: "",
      CHAPERONE_CONFIG: "",
      PATH: "/bin",
    };
    const { config, sources } = load({ env });
    expect(config.private).toEqual(["localhost", "http://10.0.0.1"]);
    expect([config.browser.sandbox, config.results]).toEqual([false, "both"]);
    expect(sources.get("private")).toBe("CHAPERONE_PRIVATE");
  });
});

describe("origins", () => {
  it.each([
    ["http://127.1:3000", "http://127.0.0.1:3000"],
    ["HTTP://LocalHost:3000/", "http://localhost:3000"],
    ["https://intra.test:443", "https://intra.test"],
    ["http://[0:0::1]:1", "http://[::1]:1"],
  ])("%s is %s", (written, canonical) =>
    expect(fromObject({ private: [written] }).config.private).toEqual([canonical]),
  );

  it.each([
    "",
    "*",
    "127.0.0.1",
    "http:/x",
    "http:x",
    "http://x/path",
    "http://x?q",
    "http://x#f",
    "http://x\\y",
    " http://x",
    "http://x y",
    "http://x:99999",
    "javascript:1",
    "LOCALHOST",
  ])("%j is none", (written) =>
    expect(problem(() => fromObject({ private: [written] }))).toMatch(/private must be a list/),
  );
});
