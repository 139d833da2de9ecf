import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Plain, startPlain } from "../arena/plain.ts";
import { type OpenedSession, openSession, type Question } from "../src/index.ts";
import { chromiumProgram } from "./chromium-program.ts";
import { type RecordingServer, recordingServer } from "./servers.ts";

/*
 * Every way out for words: results, events, questions and the record. A page says what its secret fields hold, in many
 * forms and by every channel it has; plain Chromium hands all of it on.
 */

const TEST_MS = 120_000;
const FIELDS = [
  'type="password"',
  'type="password" autocomplete="current-password"',
  'autocomplete="cc-number" inputmode="numeric"',
  'autocomplete="one-time-code"',
  'type="password" name="pin"',
] as const;
/** Three values a kind of field. The last five are typed by the agent. */
const SECRETS = Array.from({ length: 15 }, (_, at) => `S${(0x9e3779b9 * (at + 3)).toString(36)}k${at}&x`);
const TYPED = SECRETS.slice(10);

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const FORMS: readonly (readonly [name: string, write: (value: string) => string])[] = [
  ["plain", (value) => value],
  ["upper", (value) => value.toUpperCase()],
  ["spaced", (value) => [...value].join(" ")],
  ["dashed", (value) => [...value].join("-")],
  ["reversed", (value) => [...value].toReversed().join("")],
  ["percent", (value) => encodeURIComponent(value)],
  ["html", (value) => [...value].map((sign) => `&#${sign.charCodeAt(0)};`).join("")],
  ["hex", (value) => Buffer.from(value).toString("hex")],
  ["base64", base64],
  ["base64 inside", (value) => base64(`pw=${value};`).replace(/=+$/, "")],
];
/** The page writes each into an element and a line of its own. */
const piecesOf = (value: string): readonly string[] => value.match(/.{1,5}/g)?.map((piece) => `[${piece}]`) ?? [];
/** Which secrets stand in a text, and how. */
const foundIn = (text: string): readonly string[] =>
  SECRETS.flatMap((value, at) => [
    ...FORMS.flatMap(([name, write]) => (text.includes(core(name, write, value)) ? [`${at} ${name}`] : [])),
    ...(piecesOf(value).every((piece) => text.includes(piece)) ? [`${at} in pieces`] : []),
  ]);
/** Of base64 behind something the middle alone is sure. */
const core = (name: string, write: (value: string) => string, value: string): string =>
  name === "base64 inside" ? write(value).slice(6, -6) : write(value);

const forms = `const base64 = btoa; const forms = [(v) => v, (v) => v.toUpperCase(), (v) => [...v].join(" "), (v) => [...v].join("-"), (v) => [...v].reverse().join(""),
  encodeURIComponent, (v) => [...v].map((s) => "&#" + s.charCodeAt(0) + ";").join(""), (v) => [...v].map((s) => s.charCodeAt(0).toString(16)).join(""), btoa,
  (v) => btoa("pw=" + v + ";").replace(/=+$/, "")];`;
const page = `<!doctype html><title>page</title><link rel="icon" href="data:,">
  ${SECRETS.map((value, at) => `<label>Field ${at} <input ${FIELDS[at % FIELDS.length]} ${at < 10 ? `value="${value.replaceAll("&", "&amp;")}"` : ""}></label>`).join("\n")}
  <div id="out"></div><button id="tell">Tell</button><button id="ask">Send</button>
  <script>${forms}
    const all = () => [...document.querySelectorAll("input")].flatMap(({ value }) => value === "" ? [] : forms.map((form) => form(value)));
    tell.onclick = () => {
      for (const words of all()) {
        out.append(Object.assign(document.createElement("p"), { textContent: words }));
        out.append(Object.assign(document.createElement("button"), { ariaLabel: words, textContent: "x" }));
        console.log("words: " + words);
        setTimeout(() => { throw new Error("words: " + words) });
      }
      for (const { value } of document.querySelectorAll("input")) {
        for (const kind of ["li", "button"])
          for (const piece of value.match(/.{1,5}/g) ?? []) {
            out.append(Object.assign(document.createElement(kind), { textContent: "[" + piece + "]" }));
            console.log("[" + piece + "]");
          }
      }
      document.title = all()[0];
      history.replaceState(null, "", "/?note=" + encodeURIComponent(all()[1]));
      setTimeout(() => alert(all().join(" | ")), 200);
    };
    ask.onclick = () => void fetch("/order?note=" + encodeURIComponent(all()[2]), { method: "POST", headers: { "content-type": "application/json", "x-note": encodeURIComponent(all()[3]) }, body: JSON.stringify({ amount: 5, words: all() }) });
  </script>`;

let server: RecordingServer;
let plain: Plain;
let session: OpenedSession;
const questions: Question[] = [];
const events: string[] = [];
beforeAll(async () => {
  server = await recordingServer();
  server.html("/", page);
  plain = await startPlain({ hostMap: { "shop.test": server.host } });
  session = await openSession({
    allow: ["shop.test"],
    mode: "act",
    hostMap: { "shop.test": server.host },
    browser: { path: chromiumProgram() },
    approve: async (question) => {
      questions.push(question);
      return { answer: "no" };
    },
  });
  session.events.subscribe((event) => events.push(JSON.stringify(event)));
});
afterAll(async () => {
  await Promise.all([session.close(), plain.close()]);
  await server.close();
});

test("plain Chromium hands every one of them on", { timeout: TEST_MS }, async () => {
  const tab = await plain.context.newPage();
  const told: string[] = [];
  tab.on("console", (message) => told.push(message.text()));
  tab.on("dialog", (dialog) => {
    told.push(dialog.message());
    void dialog.dismiss();
  });
  await tab.goto("http://shop.test/");
  for (const [at, value] of TYPED.entries()) await tab.getByLabel(`Field ${10 + at}`, { exact: true }).fill(value);
  const asked = tab.waitForEvent("dialog");
  await tab.locator("#tell").click();
  await asked;
  told.push((await tab.locator("body").textContent()) ?? "");
  expect(new Set(foundIn(told.join("\n"))).size).toBe(SECRETS.length * (FORMS.length + 1));
});

test("nothing of them comes out of a session", { timeout: TEST_MS }, async () => {
  const told: string[] = [];
  const call = async (...[name, args]: Parameters<OpenedSession["call"]>): Promise<void> => {
    told.push(JSON.stringify((await session.call(name, args as never)).envelope));
  };
  await call("navigate", { url: "http://shop.test/" });
  for (const [at, text] of TYPED.entries()) await call("type_text", { target: `textbox "Field ${10 + at}"`, text });
  await call("click", { target: 'button "Tell"' });
  await call("snapshot", { detail: "full" });
  await call("get_text", {});
  await call("console_messages", {});
  await call("tabs", {});
  await call("click", { target: 'button "Send"' });
  await call("network_requests", {});
  await call("find", { text: "Tell" });
  expect(questions.length).toBeGreaterThan(0);
  const record = await readFile(session.ledgerFile, "utf8");
  expect(foundIn(told.join("\n"))).toEqual([]);
  // An event leaves at once: the first pieces are gone before it shows what they are pieces of.
  expect(foundIn(events.join("\n")).filter((found) => !found.endsWith("in pieces"))).toEqual([]);
  expect(foundIn(JSON.stringify(questions))).toEqual([]);
  expect(foundIn(record)).toEqual([]);
  expect(foundIn(session.recent().join("\n"))).toEqual([]);
  // There was something to take out.
  expect(told.join("\n")).toContain("words: (secret)");
  expect(record).toContain("(secret)");
});

const carrying = `<!doctype html><title>page</title><link rel="icon" href="data:,"><label>Card <input autocomplete="cc-number" value="4111222233334444"></label>
  <label>Plain <input id="plain" oninput="if (this.value) fetch('/got?' + encodeURIComponent(this.value))"></label><p id="mirror"></p><button id="show">Show</button>
  <script>show.onclick = () => { mirror.textContent = document.querySelector("input").value; getSelection().selectAllChildren(mirror); document.querySelector("input").autocomplete = "off" }</script>`;
const SELECT: Readonly<Record<string, readonly string[]>> = {
  "all of it": ["Control+a"],
  "eight characters": ["Home", ...Array.from({ length: 8 }, () => "Shift+ArrowRight")],
};

test.each(Object.entries(SELECT))(
  "what is selected of a secret field, %s, is neither copied nor cut",
  { timeout: TEST_MS },
  async (_what, keys) => {
    server.html("/carry", carrying);
    for (const carry of ["Control+c", "Control+x"]) {
      server.clear();
      const tab = await plain.context.newPage();
      await tab.goto("http://shop.test/carry");
      for (const key of [...keys, carry]) await tab.getByLabel("Card").press(key);
      await tab.getByLabel("Plain").press("Control+v");
      await server.waitForHit("/got");
      await tab.close();

      server.clear();
      await session.call("navigate", { url: "http://shop.test/carry" });
      for (const key of [...keys, carry]) await session.call("press_key", { key, target: 'textbox "Card"' });
      await session.call("press_key", { key: "Control+v", target: 'textbox "Plain"' });
      await session.call("press_key", { key: "z", target: 'textbox "Plain"' });
      await server.waitForHit("/got?z");
      expect(server.hitsTo("/got").map(({ path }) => path)).toEqual(["/got?z"]);
    }
  },
);

test("what shows a secret value is not copied either, after its field was made plain", {
  timeout: TEST_MS,
}, async () => {
  server.html("/carry", carrying);
  server.clear();
  await session.call("navigate", { url: "http://shop.test/carry" });
  await session.call("click", { target: 'button "Show"' });
  await session.call("press_key", { key: "Control+c" });
  for (const key of ["Control+a", "Control+c"]) await session.call("press_key", { key, target: 'textbox "Card"' });
  for (const key of ["Control+v", "z"]) await session.call("press_key", { key, target: 'textbox "Plain"' });
  await server.waitForHit("/got?z");
  expect(server.hitsTo("/got").map(({ path }) => path)).toEqual(["/got?z"]);
});

const COPIED_ELSEWHERE: Readonly<Record<string, string>> = {
  "the next page": `<p id="shown">VALUE</p><button onclick="getSelection().selectAllChildren(shown)">Select</button>`,
  "a document inside": `<iframe srcdoc="<p id=shown>VALUE</p><button onclick='getSelection().selectAllChildren(shown)'>Select</button>"></iframe>`,
  "an address of a link": `<p id="shown"><a href="http://shop.test/VALUE">link</a></p><button onclick="getSelection().selectAllChildren(shown)">Select</button>`,
  "a part of a text field": `<textarea id="shown">VALUE</textarea><button onclick="shown.focus(); shown.setSelectionRange(1, 9)">Select</button>`,
};

test.each(Object.entries(COPIED_ELSEWHERE))(
  "of a value that a field of the site before held, nothing is copied from %s",
  { timeout: TEST_MS },
  async (_where, body) => {
    const typed = "Hunter2Battery";
    const paste = `<label>Plain <textarea oninput="if (this.value) fetch('/got?' + encodeURIComponent(this.value))"></textarea></label>`;
    const pageOf = (value: string): string =>
      `<!doctype html><title>page</title><link rel="icon" href="data:,">${body.replace("VALUE", value)}${paste}`;
    const copied = async (value: string): Promise<readonly string[]> => {
      server.html("/shows", pageOf(value));
      server.clear();
      await session.call("navigate", { url: "http://shop.test/shows" });
      await session.call("click", { target: 'button "Select"' });
      await session.call("press_key", { key: "Control+c" });
      for (const key of ["Control+v", "z"]) await session.call("press_key", { key, target: 'textbox "Plain"' });
      await server.waitForHit("/got");
      await expect.poll(() => server.hitsTo("/got").at(-1)?.path).toMatch(/z$/);
      return server.hitsTo("/got").map(({ path }) => path);
    };
    server.html(
      "/sign-in",
      `<!doctype html><link rel="icon" href="data:,"><label>Password <input type="password"></label>`,
    );
    await session.call("navigate", { url: "http://shop.test/sign-in" });
    await session.call("type_text", { target: 'textbox "Password"', text: typed });
    // A row before may have left its words.
    expect((await copied(typed)).join()).not.toContain("unter2");
    // The control: other words are copied.
    expect((await copied("Ordinary-words")).join()).toMatch(/rdinary|link/);
  },
);
