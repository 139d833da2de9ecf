import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Folder, folder, intent, ordinarySession, request } from "../ledger/ledger.fixture.ts";
import { main } from "./main.ts";

let it: Folder;
beforeEach(() => {
  it = folder();
});
afterEach(() => it[Symbol.dispose]());

/** Runs it with a state directory of its own, so with no key of an installation unless one is put there. */
async function ledger(
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const written = { out: "", err: "" };
  const code = await main(["ledger", ...argv], {
    stdout: { write: (text: string) => (written.out += text) },
    stderr: { write: (text: string) => (written.err += text) },
    env: { XDG_STATE_HOME: join(it.path, "state"), XDG_CONFIG_HOME: join(it.path, "config") },
  });
  return { code, ...written };
}

function written(rounds = 2): readonly string[] {
  const log = it.open();
  const names = ordinarySession(log, rounds);
  log.close();
  return names;
}

/** Signs with the key of this installation. */
function own(): { readonly keyDirectory: string } {
  return { keyDirectory: join(it.path, "state", "chaperone", "keys") };
}

describe("verify", () => {
  test("says ok and how many records", async () => {
    const names = written();
    const { code, out } = await ledger("verify", it.file);
    expect(code).toBe(0);
    expect(out.split("\n")[0]).toBe(`ok ${names.length + 1} records`);
    expect(out).toContain("which only the ledger itself names");
  });

  test("A-136: after one changed character, the first bad seq and why, exit code 1", async () => {
    written();
    it.write(it.read().replace("Out of reach.", "Out of reach!"));
    const { code, out } = await ledger("verify", it.file);
    expect(code).toBe(1);
    expect(out).toMatch(/^bad seq 10: was changed/);
  });

  test("A-136: after cutting the last lines it says so", async () => {
    written();
    const lines = it.read().trimEnd().split("\n");
    it.write(`${lines.slice(0, -3).join("\n")}\n`);
    const { code, out } = await ledger("verify", it.file);
    expect(code).toBe(1);
    expect(out).toMatch(/^bad seq \d+: the closing record is missing: .*lines were cut off/);
    expect(await ledger("verify", it.file, "--unfinished")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ok .*\nwarning: the closing record/),
    });
  });

  test("A-136: a hash that was kept elsewhere shows the cut even where an end may be missing", async () => {
    written();
    const kept = /last hash ([0-9a-f]{64})/.exec((await ledger("verify", it.file)).out)?.[1] ?? "";
    expect(await ledger("verify", it.file, "--checkpoint", kept)).toMatchObject({ code: 0 });
    const lines = it.read().trimEnd().split("\n");
    const last = it.write(lines.at(-1) ?? "", join(it.path, "kept.json"));
    it.write(`${lines.slice(0, -1).join("\n")}\n`);
    for (const held of [kept, last]) {
      const { code, out } = await ledger("verify", it.file, "--unfinished", "--checkpoint", held);
      expect(out).toContain("before the checkpoint that is held");
      expect(code).toBe(1);
    }
  });

  test("A-136: signed anew with another key", async () => {
    const log = it.open(own());
    ordinarySession(log);
    log.close();
    expect(await ledger("verify", it.file)).toMatchObject({
      code: 0,
      out: expect.stringContaining("this installation's"),
    });
    const forged = it.open({ keyDirectory: join(it.path, "other"), file: join(it.path, "forged.jsonl") });
    ordinarySession(forged);
    forged.close();
    const { code, out } = await ledger("verify", join(it.path, "forged.jsonl"));
    expect(code).toBe(1);
    expect(out).toMatch(/^bad seq 0: names another key/);
    expect(out).toContain("--key");
    expect(
      await ledger("verify", join(it.path, "forged.jsonl"), "--key", join(it.path, "other", "ledger-key.pub.pem")),
    ).toMatchObject({ code: 0 });
  });

  test("A-136: signed by somebody who can put a key where this installation's is", async () => {
    const forged = it.open(own());
    ordinarySession(forged);
    forged.close();
    const state = join(it.path, "state", "chaperone");
    chmodSync(state, 0o777);
    expect(await ledger("verify", it.file)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("chmod 700"),
    });
    // The control: where only we write, that key is ours.
    chmodSync(state, 0o700);
    expect(await ledger("verify", it.file)).toMatchObject({ code: 0 });
  });

  test("A-138: names an open intent", async () => {
    it.open().record(intent(1));
    const { code, out } = await ledger("verify", it.file);
    expect(out).toContain("warning: open intent r_s1_1 (click): the process ended between intent and outcome");
    expect(code).toBe(1);
    expect(await ledger("verify", it.file, "--unfinished")).toMatchObject({
      code: 0,
      out: expect.stringContaining("open intent r_s1_1"),
    });
  });

  test("as JSON", async () => {
    written();
    const { code, out } = await ledger("verify", it.file, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, bad: null, isClosed: true, session: "s1" });
  });

  test.each([
    ["an unknown action", ["check", "x"], "verify, show, receipt, verify-receipt"],
    ["no file", ["verify", "nowhere.jsonl"], "there is no file nowhere.jsonl"],
    ["a directory", ["verify", "."], "not a regular file"],
    ["two files", ["verify", "package.json", "package.json"], "one FILE"],
    ["an option of another action", ["verify", "package.json", "--html", "x"], "ledger verify has no --html"],
    ["a checkpoint that is none", ["verify", "package.json", "--checkpoint", "package.json"], "must be a hash"],
    ["a key that is none", ["verify", "package.json", "--key", "package.json"], "Ed25519"],
  ])("wrong use: %s", async (_what, argv, words) => {
    const { code, err } = await ledger(...argv);
    expect(err).toContain(words);
    expect(code).toBe(2);
  });
});

describe("show", () => {
  test("tells in a line each what was asked, by which rule it was decided, and what left", async () => {
    written(1);
    const { code, out } = await ledger("show", it.file);
    expect(code).toBe(0);
    expect(out).toContain("click button e1 on shop.test to https://shop.test/cart with MODEL text of 5 characters");
    expect(out).toContain(
      "POST https://shop.test/cart (data)  · allow effects.answer  · decided by approver; by answer q1",
    );
    expect(out).toContain("!! POST https://evil.test/?a=(secret)");
    expect(out).toContain("ok ");
  });

  test("A-50: control characters, ANSI and directions of a page are visible, not effective", async () => {
    const log = it.open();
    log.record({
      kind: "dialog",
      type: "alert",
      words: "\u001b[2J\u001b]0;x\u0007 \u202egnp.exe\nnew\r\u0085 \u200b",
      answered: "dismissed",
    });
    log.close();
    const { out } = await ledger("show", it.file);
    expect(out).toContain("\\u{1b}[2J\\u{1b}]0;x\\u{7} \\u{202e}gnp.exe\\u{a}new\\u{d}\\u{85} \\u{200b}");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is there is the point
    expect(out.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/);
  });

  test.each([
    [["--call", "c2"], (line: Line) => line.call === "c2"],
    [["--kind", "request"], (line: Line) => line.kind === "request"],
    [["--refused"], (line: Line) => line.verdict === "refuse"],
    [["--site", "evil.test"], (line: Line) => line.sites?.includes("evil.test") === true],
  ])("only %s", async (filter, holds) => {
    written(3);
    const { out } = await ledger("show", it.file, "--json", ...filter);
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line): Line => JSON.parse(line));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !holds(line))).toEqual([]);
  });
  interface Line {
    readonly call?: string;
    readonly kind: string;
    readonly verdict?: string;
    readonly sites?: readonly string[];
  }

  test("A-50: one HTML file for all, in which whatever pages are called stays text", async () => {
    const log = it.open();
    log.record({
      kind: "dialog",
      type: "alert",
      words: `<img src=x onerror="alert(1)"></td><script>alert('2')</script>`,
      answered: "dismissed",
    });
    log.record(request(null, { verdict: "refuse", url: `https://evil.test/"><b onclick='x'>`, rule: "reach.site" }));
    log.close();
    const file = join(it.path, "report.html");
    expect(await ledger("show", it.file, "--html", file)).toMatchObject({ code: 0 });
    const html = readFileSync(file, "utf8");
    expect(html).not.toMatch(/<(img|script|b)\b/);
    expect(html).toContain(
      "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&lt;/td&gt;&lt;script&gt;alert(&#39;2&#39;)&lt;/script&gt;",
    );
    expect(html).toContain(`content="default-src &#39;none&#39;; style-src &#39;sha256-`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await ledger("show", it.file, "--html", it.file)).toMatchObject({
      code: 2,
      err: expect.stringContaining("exists"),
    });
  });

  test("of a changed ledger shows what is right, then what is not", async () => {
    written();
    it.write(it.read().replace("Out of reach.", "Out of reach!"));
    const { code, out } = await ledger("show", it.file);
    expect(code).toBe(1);
    expect(out).toContain("bad seq 10");
    expect(out).not.toContain("Out of reach!");
  });
});

describe("receipts", () => {
  test("stand alone", async () => {
    const [, , name = ""] = written(3);
    const { code, out } = await ledger("receipt", it.file, name);
    expect(code).toBe(0);
    const file = it.write(out, join(it.path, "receipt.json"));
    expect(await ledger("verify-receipt", file)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`ok ${name}: record 3 of session s1`),
    });
    it.write(out.replace('"click"', '"snapshot"').replace('"look"', '"press"'), file);
    expect(await ledger("verify-receipt", file)).toMatchObject({
      code: 1,
      out: expect.stringContaining("bad receipt: the record was changed"),
    });
    it.write("no", file);
    expect(await ledger("verify-receipt", file)).toMatchObject({ code: 1, out: "bad receipt: this is no receipt\n" });
  });

  test("of what is not there, or not yet", async () => {
    written(1);
    expect(await ledger("receipt", it.file, "r_s1_999")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no such record"),
    });
    const open = it.open({ file: join(it.path, "open.jsonl") });
    const name = open.record(intent(1));
    expect(await ledger("receipt", join(it.path, "open.jsonl"), name)).toMatchObject({
      code: 1,
      err: expect.stringContaining("no checkpoint counts that record yet"),
    });
    open.close();
    expect(await ledger("receipt", join(it.path, "open.jsonl"), name)).toMatchObject({ code: 0 });
  });
});

test("checking leaves nothing behind", async () => {
  written();
  await ledger("verify", it.file);
  expect(existsSync(join(it.path, "state"))).toBe(false);
});
