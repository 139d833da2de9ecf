import fc from "fast-check";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Plain, startPlain } from "../../arena/plain.ts";
import { type OpenedSession, openSession } from "../../src/index.ts";
import { chromiumProgram } from "../chromium-program.ts";
import { runs } from "../runs.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";

/*
 * Pages made at random that want input for something else than what was judged: another element takes the focus, comes
 * under the mouse, or is put in the place of the target, at any of the moments that a page learns of. Whatever they do,
 * nothing else gets a key, a press or a click that the browser vouches for.
 */

const PAGES = Number(process.env.LANDING_PAGES ?? runs(8, 150));
const SEED = Number(process.env.LANDING_SEED ?? 20261201);
const TEST_MS = 20_000 * PAGES + 60_000;
const STEP_MS = 3_000;
/** Of the pages, in plain Chromium: with fewer, the silence here would say little. */
const LEAST_PLAINLY = 0.4;

interface Trap {
  readonly target: keyof typeof TARGETS;
  readonly targetIn: "page" | "shadow" | "frame";
  readonly thief: keyof typeof THIEVES;
  readonly thiefIn: "page" | "shadow" | "frame" | "other site";
  readonly moment: keyof typeof MOMENTS;
  readonly move: keyof typeof MOVES;
  readonly act: "keys" | "text" | "press";
}

const TARGETS = {
  field: { html: `<input id="n" aria-label="Note">`, named: 'textbox "Note"', takesText: true },
  area: { html: `<textarea id="n" aria-label="Note"></textarea>`, named: 'textbox "Note"', takesText: true },
  editor: {
    html: `<div id="n" role="textbox" aria-label="Note" contenteditable style="height:30px">x</div>`,
    named: 'textbox "Note"',
    takesText: true,
  },
  button: { html: `<button id="n" type="button">Note</button>`, named: 'button "Note"', takesText: false },
  link: { html: `<a id="n" href="#there">Note</a>`, named: 'link "Note"', takesText: false },
  box: { html: `<input id="n" type="checkbox" aria-label="Note">`, named: 'checkbox "Note"', takesText: false },
} as const;

const THIEVES = {
  field: `<input id="d">`,
  button: `<button id="d">Delete</button>`,
  editor: `<div id="d" contenteditable style="min-height:20px">y</div>`,
} as const;

/** What runs `move` as keys are pressed; `n` is the target in its own document. */
const OF_KEYS = {
  focus: "n.addEventListener('focus', move)",
  "key down": "n.addEventListener('keydown', move)",
  "key down, on its way": "addEventListener('keydown', move, true)",
  "before input": "n.addEventListener('beforeinput', move)",
  input: "n.addEventListener('input', move)",
} as const;
const OF_THE_MOUSE = {
  "pointer down": "addEventListener('pointerdown', move, true)",
  "mouse down": "n.addEventListener('mousedown', move)",
  "mouse over": "n.addEventListener('mouseover', move)",
  "mouse move": "addEventListener('pointermove', move, true)",
} as const;
const OF_ITSELF = {
  selection: "document.addEventListener('selectionchange', move)",
  timer: "setInterval(move, 7)",
  frame: "const each = () => { move(); requestAnimationFrame(each) }; each()",
} as const;
const MOMENTS = { ...OF_KEYS, ...OF_THE_MOUSE, ...OF_ITSELF };

const COVERING = "position:fixed;inset:0;width:100%;height:100%;z-index:9";
const MODAL =
  "const box = document.createElement('dialog'); box.append(thief); document.body.append(box); box.showModal()";
/** What the target's document does; `thief` is an element that it can reach, the thief or the frame around it. */
const TO_THE_FOCUS = {
  focus: "thief.focus()",
  inert: "n.inert = true; thief.focus()",
  replace: "n.replaceWith(thief); thief.focus()",
  modal: `${MODAL}; thief.focus()`,
} as const;
const UNDER_THE_MOUSE = {
  over: `thief.style.cssText = '${COVERING}'`,
  blink: `thief.style.cssText = thief.style.cssText ? '' : '${COVERING}'`,
  "in place":
    "const { left, top } = n.getBoundingClientRect(); thief.style.cssText = 'position:fixed;z-index:9;left:' + left + 'px;top:' + top + 'px'",
  swap: "n.before(thief)",
  "as a layer": `${MODAL}; box.style.cssText = thief.style.cssText = '${COVERING}'`,
} as const;
const MOVES = { ...TO_THE_FOCUS, ...UNDER_THE_MOUSE };

/** A text that is typed key by key may go on in the next field of its document, as codes do. */
const goesOn = (trap: Trap): boolean =>
  isTyped(trap) && trap.thief !== "button" && (trap.thiefIn === "page" || trap.thiefIn === "shadow");
const isTyped = ({ act, target }: Trap): boolean => act === "text" && TARGETS[target].takesText;

const around = {
  target: fc.constantFrom(...keysOf(TARGETS)),
  targetIn: fc.constantFrom("page", "shadow", "frame"),
  thief: fc.constantFrom(...keysOf(THIEVES)),
  thiefIn: fc.constantFrom("page", "shadow", "frame", "other site"),
} as const;
const byKeys = fc.record<Trap>({
  ...around,
  moment: fc.constantFrom(...keysOf(OF_KEYS), ...keysOf(OF_ITSELF)),
  move: fc.constantFrom(...keysOf(TO_THE_FOCUS)),
  act: fc.constantFrom("keys", "text"),
});
const byMouse = fc.record<Trap>({
  ...around,
  moment: fc.constantFrom(...keysOf(OF_THE_MOUSE), ...keysOf(OF_ITSELF)),
  move: fc.constantFrom(...keysOf(UNDER_THE_MOUSE)),
  act: fc.constant("press"),
});
const traps = fc.oneof(byKeys, byMouse).filter((trap) => !goesOn(trap));

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table) as Key[];
}

/** Tells of what the browser vouches for, by a document of a frame: data may not go from every site. */
const TELLS = `for (const kind of ["keydown", "beforeinput", "input", "pointerdown", "mousedown", "click"]) d.addEventListener(kind, (event) => {
  if (event.isTrusted) document.documentElement.append(Object.assign(document.createElement("iframe"), { src: "/got?" + kind, hidden: true }));
});`;

const EMPTY = `<!doctype html><link rel="icon" href="data:,">`;
const THIEF_FRAME = `<iframe id="around" width="300" height="80" src="`;

/** The document with the target in it: the page itself, or a frame of it. */
function documentOf({ target, targetIn, thief, thiefIn, moment, move }: Trap): string {
  const isFramed = thiefIn === "frame" || thiefIn === "other site";
  const place = thiefIn === "other site" ? "http://ads.test/thief" : "/thief";
  const own = isFramed
    ? `${THIEF_FRAME}${place}"></iframe>`
    : thiefIn === "page"
      ? THIEVES[thief]
      : `<div id="shade"></div>`;
  return `${EMPTY}<body>${targetIn === "shadow" ? `<div id="tree"></div>` : TARGETS[target].html}<p>Words between</p>${own}<script>
${targetIn === "shadow" ? `tree.attachShadow({ mode: "open" }).innerHTML = ${JSON.stringify(TARGETS[target].html)}; const n = tree.shadowRoot.getElementById("n");` : ""}
${thiefIn === "shadow" ? `shade.attachShadow({ mode: "open" }).innerHTML = ${JSON.stringify(THIEVES[thief])}; const d = shade.shadowRoot.getElementById("d");` : ""}
const thief = ${isFramed ? "around" : "d"};
${isFramed ? "" : TELLS}
const move = () => { ${MOVES[move]} };
addEventListener("load", () => { ${MOMENTS[moment]} });
</script>`;
}

function serve(at: RecordingServer, trap: Trap): void {
  at.clear();
  const inner = documentOf(trap);
  at.html(
    "/",
    trap.targetIn === "frame"
      ? `${EMPTY}<body><iframe id="inner" width="600" height="300" src="/inner"></iframe>`
      : inner,
  );
  at.html("/inner", inner);
  // It takes what focus it can, as its own document knows best when it got it.
  at.html(
    "/thief",
    `${EMPTY}<body>${THIEVES[trap.thief]}<script>${TELLS} addEventListener("focus", () => d.focus())</script>`,
  );
}

async function plainly(page: Page, trap: Trap): Promise<void> {
  await page.goto("http://shop.test/");
  const scope = trap.targetIn === "frame" ? page.frameLocator("#inner") : page;
  const place = await scope
    .locator("#n")
    .boundingBox({ timeout: STEP_MS })
    .catch(() => null);
  await scope
    .locator("#n")
    .focus({ timeout: STEP_MS })
    .catch(() => {});
  for (let round = 0; round < 3; round++) {
    if (trap.act === "press" && place !== null)
      await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2, { delay: 10 });
    else if (isTyped(trap)) await page.keyboard.type("abc");
    else await page.keyboard.press("Enter");
  }
}

async function guarded(trap: Trap): Promise<void> {
  await session.call("navigate", { url: "http://shop.test/" });
  const { named } = TARGETS[trap.target];
  for (let round = 0; round < 3; round++) {
    if (trap.act === "press") await session.call("click", { target: named, timeout_ms: STEP_MS });
    else if (isTyped(trap))
      await session.call("type_text", { target: named, text: "abc", sequential: true, timeout_ms: STEP_MS });
    else await session.call("press_key", { key: "Enter", target: named, timeout_ms: STEP_MS });
  }
}

let server: RecordingServer;
/** Of plain Chromium, whose pages may go on telling. */
let openly: RecordingServer;
let session: OpenedSession;
let plain: Plain;
beforeAll(async () => {
  [server, openly] = await Promise.all([recordingServer(), recordingServer()]);
  const at = ({ host }: RecordingServer): Record<string, string> => ({ "shop.test": host, "ads.test": host });
  [session, plain] = await Promise.all([
    openSession({ ...yes, allow: ["shop.test"], hostMap: at(server), browser: { path: chromiumProgram() } }),
    startPlain({ hostMap: at(openly) }),
  ]);
});
afterAll(async () => {
  await Promise.all([session.close(), plain.close()]);
  await Promise.all([server.close(), openly.close()]);
});

test(`${PAGES} pages that want input for something else (seed ${SEED}): nothing else gets any`, {
  timeout: TEST_MS,
}, async () => {
  const taken: string[] = [];
  let takenPlainly = 0;
  for (const trap of fc.sample(traps, { numRuns: PAGES, seed: SEED })) {
    serve(openly, trap);
    const page = await plain.context.newPage();
    await plainly(page, trap);
    await page.goto("http://shop.test/fence");
    if (openly.hitsTo("/got").length > 0) takenPlainly++;
    await page.close();

    serve(server, trap);
    await guarded(trap);
    // Its requests are asked for one after another: what was told before is there before.
    await session.call("navigate", { url: "http://shop.test/fence" });
    const got = server.hitsTo("/got").map(({ path }) => path);
    if (got.length > 0) taken.push(`${JSON.stringify(trap)}: ${got.join(" ")}`);
  }
  console.log(
    `of ${PAGES} pages: something else got input of ${takenPlainly} in plain Chromium, of ${taken.length} here`,
  );
  expect(taken).toEqual([]);
  expect(takenPlainly).toBeGreaterThanOrEqual(PAGES * LEAST_PLAINLY);
});
