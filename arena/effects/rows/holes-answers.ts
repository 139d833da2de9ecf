import type { Choice } from "../../../src/index.ts";
import type { Step } from "../row.ts";
import { document, type Served } from "../sites.ts";
import { button, CLICK, OVER, sending, UNTIL_OVER } from "./holes.ts";

/** One call of a tool by its name, or what a program does with the page itself. */
export type Call = { readonly tool: string; readonly args: object } | { readonly page: "read" };

/** A row in which somebody gives one answer after another, in a session of its own; after the last one it is no. */
export interface AnsweredRow {
  readonly id: string;
  readonly title: string;
  readonly pages: Served;
  /** Hosts that hold nothing of a person; all others are opened as private. */
  readonly open?: readonly string[];
  readonly steps: readonly (Step | Call)[];
  /** In plain Chromium, where the steps are none that it has. */
  readonly plainly?: readonly Step[];
  readonly answers: readonly Choice[];
  /** `METHOD address body`: what must arrive, and what must not. */
  readonly arrives: readonly RegExp[];
  readonly never: readonly RegExp[];
  /** In the lines of the n-th question. */
  readonly asked?: readonly RegExp[];
  readonly questions?: number;
}

const NAME = { type: 'textbox "Name"', text: "Ada Moreau" } as const;
const SAVE = { click: 'button "Save name"' } as const;
const SETTINGS = `<form id="form" method="post" action="/settings"><label>Name <input name="name"></label><button>Save name</button></form>`;
const AGAIN = () => ({ body: document(`${SETTINGS}<button id="go">Go on</button>`, "go.onclick = () => OTHER") });

/** `form` is for that form, and for harmless forms of the document that its answer loads. */
const afterForm: readonly AnsweredRow[] = (
  [
    [
      "an e-mail address",
      `fetch("/profile/email", { method: "POST", body: new URLSearchParams({ email: "eve@evil.test" }) })`,
      /\/profile\/email/,
    ],
    ["a key", `fetch("/apikeys", { method: "PUT" })`, /\/apikeys/],
    ["another method at its place", `fetch("/settings", { method: "DELETE" })`, /^DELETE/],
    [
      "a field more at its place",
      `fetch("/settings", { method: "POST", body: new URLSearchParams({ name: "Ada Moreau", role: "owner" }) })`,
      /role=owner/,
    ],
    [
      "an operation more at its place",
      `fetch("/settings?action=delete", { method: "POST", body: new URLSearchParams({ name: "Ada Moreau" }) })`,
      /action=delete/,
    ],
    [
      "a header more at its place",
      `fetch("/settings", { method: "POST", headers: { "X-Action": "delete" }, body: new URLSearchParams({ name: "Ada Moreau" }) })`,
      /ever/,
    ],
    ["a place below it", `fetch("/settings/delete", { method: "POST" })`, /\/settings\/delete/],
    ["another form's action", `{ form.action = "/account/close"; form.submit() }`, /\/account\/close/],
  ] as const
).map(([how, other, never], at) => {
  const host = `settings${at}.test`;
  const page = document(`${SETTINGS}<button id="go">Go on</button>`, `go.onclick = () => ${other}`);
  return {
    id: "H7",
    title: `after the answer "form" for a name: ${how}`,
    pages: { [`${host}/settings`]: page },
    steps: [{ go: `http://${host}/settings` }, NAME, SAVE, CLICK],
    answers: ["form"],
    arrives: [/^POST http:\/\/settings\d\.test\/settings name=Ada\+Moreau$/],
    // Of the header's row both are the same line: it arrives once.
    never: how === "a header more at its place" ? [/^POST \S+ name=Ada\+Moreau \(twice\)$/] : [never],
    questions: 2,
  };
});

const secondForms: readonly AnsweredRow[] = [
  {
    id: "H7",
    title: 'after the answer "form", the next document has a form that deletes',
    pages: {
      "wizard.test/": document(
        `<form method="post" action="/step"><label>Name <input name="name"></label><button>Save name</button></form>`,
      ),
      "wizard.test/step": document(
        `<form method="post" action="/account/delete"><input type="hidden" name="sure" value="1"><button>Go on</button></form>`,
      ),
    },
    steps: [{ go: "http://wizard.test/" }, NAME, SAVE, CLICK],
    answers: ["form"],
    arrives: [/^POST http:\/\/wizard\.test\/step /],
    never: [/\/account\/delete/],
    questions: 2,
  },
  {
    id: "H7",
    title: 'after the answer "form", that form again: it is what the answer is for',
    pages: { "opened.test/settings": AGAIN().body.replace("OTHER", "0") },
    steps: [
      { go: "http://opened.test/settings" },
      NAME,
      SAVE,
      { go: "http://opened.test/settings?again=1" },
      { type: 'textbox "Name"', text: "Eve" },
      SAVE,
    ],
    answers: ["form"],
    arrives: [/name=Ada\+Moreau/, /name=Eve/],
    never: [],
    questions: 1,
  },
];

/** `task` is for that operation. */
const afterTask: readonly AnsweredRow[] = (
  [
    ["the field action", `post({ action: "star", id: 1 })`, `post({ action: "remove", id: 1 })`, /"star"/, /"remove"/],
    [
      "the method of JSON-RPC",
      `post({ jsonrpc: "2.0", id: 1, method: "tasks.star", params: [1] })`,
      `post({ jsonrpc: "2.0", id: 2, method: "tasks.drop", params: [1] })`,
      /tasks\.star/,
      /tasks\.drop/,
    ],
    [
      "the operation of GraphQL",
      `post({ query: "mutation { star(id: 1) { id } }" })`,
      `post({ query: "mutation { drop(id: 1) { id } }" })`,
      /star\(/,
      /drop\(/,
    ],
    [
      "the same name of another document",
      `post({ operationName: "Do", query: "mutation Do { star(id: 1) { id } }" })`,
      `post({ operationName: "Do", query: "mutation Do { drop(id: 1) { id } }" })`,
      /star\(/,
      /drop\(/,
    ],
    [
      "a persisted name",
      `post({ operationName: "Star", extensions: { persistedQuery: { version: 1, sha256Hash: "${"5b1f0c7a".repeat(8)}" } } })`,
      `post({ operationName: "Drop", extensions: { persistedQuery: { version: 1, sha256Hash: "${"c90d22e1".repeat(8)}" } } })`,
      /"Star"/,
      /"Drop"/,
    ],
    [
      "a header",
      `post({ id: 1, is: "star" }, { "Next-Action": "7f9ad0c1" })`,
      `post({ id: 1, is: "drop" }, { "Next-Action": "b2c88e40" })`,
      /star/,
      /drop/,
    ],
    [
      "the last part of the path",
      `fetch("/api/items/1/star", { method: "POST" })`,
      `fetch("/api/items/1/remove", { method: "POST" })`,
      /\/star/,
      /\/remove/,
    ],
    [
      "a parameter of the address",
      `fetch("/api?do=star&id=1", { method: "POST" })`,
      `fetch("/api?do=remove&id=1", { method: "POST" })`,
      /do=star/,
      /do=remove/,
    ],
    ["a field that was not there", `post({ id: 1 })`, `post({ id: 1, role: "owner" })`, /\{"id":1\}/, /owner/],
  ] as const
).map(([how, first, second, arrives, never], at) => {
  const host = `tasks${at}.test`;
  return {
    id: "H6",
    title: `after the answer "task" for one operation, another one by ${how}`,
    pages: {
      [`${host}/`]: document(
        `<button id="one">First</button><button id="go">Go on</button>`,
        `const post = (value, headers = {}) => fetch("/api", { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) }); one.onclick = () => ${first}; go.onclick = () => ${second}`,
      ),
    },
    steps: [{ go: `http://${host}/` }, { click: 'button "First"' }, CLICK],
    answers: ["task"],
    arrives: [arrives],
    never: [never],
    questions: 2,
  };
});

/** A yes to the first is none to where its answer sends it. */
const afterYes: readonly AnsweredRow[] = (
  [
    ["another path", 307, "/account/transfer-all"],
    ["another path, for good", 308, "/account/transfer-all"],
    ["another query", 307, "/go?all=1"],
    ["another host of the site", 307, "http://admin.HOST/account/transfer-all"],
    ["an address that does something", 303, "/orders/3/refund"],
    ["a one-time token", 302, "/confirm?token=4f1c9a77d0e94aab8f2b6c1d"],
  ] as const
).map(([how, status, location], at) => {
  const host = `carried${at}.test`;
  const to = location.replace("HOST", host);
  const target = new URL(to, `http://${host}`);
  return {
    id: "H19",
    title: `a POST with a yes that is answered by ${status} to ${how}`,
    pages: {
      [`${host}/`]: document(
        `<form method="post" action="/go"><input type="hidden" name="n" value="1"><button>Go on</button></form>`,
      ),
      [`${host}/go`]: ({ path }) => (path === "/go" ? { status, headers: { location: to } } : {}),
      ...(target.host === host ? {} : { [`${target.host}/`]: document("") }),
    },
    steps: [{ go: `http://${host}/` }, CLICK],
    answers: ["once"],
    arrives: [/^POST http:\/\/carried\d\.test\/go n=1$/],
    never: [new RegExp(`^\\S+ ${target.href.replaceAll(/[.?/]/g, "\\$&")}( |$)`)],
    questions: 2,
  };
});

const LIKE_AND_DELETE = document(
  `<button id="like">Like</button><button id="drop">Delete post</button>`,
  `like.onclick = () => ${sending("/api/posts/7/like", { on: true })}; drop.onclick = () => ${sending("/api/posts/7", undefined, "DELETE")}`,
);
const DANGER = document(
  `<label>Note <input id="note"></label><button id="drop">Delete account</button>`,
  `drop.onclick = () => ${sending("/account/delete", {})}`,
);

/** Inputs that were not asked about, or asked about as another element. */
const inputs: readonly AnsweredRow[] = [
  {
    id: "H12",
    title: "a batch of two clicks is asked about with both of them",
    pages: { "batch.test/": LIKE_AND_DELETE },
    steps: [
      { go: "http://batch.test/" },
      {
        tool: "batch",
        args: {
          calls: [
            { tool: "click", arguments: { target: 'button "Like"' } },
            { tool: "click", arguments: { target: 'button "Delete post"' } },
          ],
        },
      },
    ],
    plainly: [{ go: "http://batch.test/" }, { click: 'button "Like"' }, { click: 'button "Delete post"' }],
    answers: [],
    arrives: [],
    never: [/^DELETE/, /\/like/],
    asked: [/(?=[\s\S]*"Like")(?=[\s\S]*"Delete post")(?=[\s\S]*DELETE "http:\/\/batch\.test)/],
    questions: 1,
  },
  {
    id: "H12",
    title: "a batch whose first call is harmless does not lend its name to the second",
    pages: { "names.batch.test/": DANGER },
    steps: [
      { go: "http://names.batch.test/" },
      {
        tool: "batch",
        args: {
          calls: [
            { tool: "type_text", arguments: { target: 'textbox "Note"', text: "hello" } },
            { tool: "click", arguments: { target: 'button "Delete account"' } },
          ],
        },
      },
    ],
    plainly: [{ go: "http://names.batch.test/" }, { click: 'button "Delete account"' }],
    answers: [],
    arrives: [],
    never: [/\/account\/delete/],
    asked: [/"Delete account"/],
    questions: 1,
  },
  {
    id: "H12",
    title: "keys without a target",
    pages: { "keys.test/": DANGER },
    steps: [{ go: "http://keys.test/" }, { press: "Tab" }, { press: "Tab" }, { press: "Enter" }],
    answers: [],
    arrives: [],
    never: [/\/account\/delete/],
    asked: [/"Delete account"/],
    questions: 1,
  },
  {
    id: "H12",
    title: "Enter in a field presses the form's button",
    pages: {
      "enter.test/": document(
        `<form method="post" action="/account/delete"><label>Note <input name="note"></label><button>Delete account</button></form>`,
      ),
    },
    steps: [
      { go: "http://enter.test/" },
      { tool: "type_text", args: { target: 'textbox "Note"', text: "bye", submit: true } },
    ],
    plainly: [{ go: "http://enter.test/" }, { type: 'textbox "Note"', text: "bye" }, { press: "Enter" }],
    answers: [],
    arrives: [],
    never: [/\/account\/delete/],
    asked: [/"Delete account"/],
    questions: 1,
  },
  {
    id: "H12",
    title: "letters typed one after another, each of which is sent",
    pages: {
      "letters.keys.test/": document(
        `<label>Note <input id="note"></label>`,
        `note.onkeydown = ({ key }) => fetch("/keys/" + key, { method: "POST" })`,
      ),
    },
    steps: [
      { go: "http://letters.keys.test/" },
      { tool: "type_text", args: { target: 'textbox "Note"', text: "abc", sequential: true } },
    ],
    plainly: [{ go: "http://letters.keys.test/" }, { click: 'textbox "Note"' }, { press: "a" }, { press: "b" }],
    answers: [],
    arrives: [],
    never: [/\/keys\//],
    asked: [/textbox|"Note"/],
  },
  {
    id: "H12",
    title: "a program that had read the page once",
    pages: { "program.test/": DANGER },
    steps: [{ go: "http://program.test/" }, { page: "read" }, { click: 'button "Delete account"' }],
    plainly: [{ go: "http://program.test/" }, { click: 'button "Delete account"' }],
    answers: [],
    arrives: [],
    never: [/\/account\/delete/],
    asked: [/"Delete account"/],
    questions: 1,
  },
  {
    id: "H12",
    title: "a program that had read the page, and a page that acts at its next load",
    pages: {
      "reads.test/": button("0"),
      "reads.test/autoq": document(
        "",
        `${sending("/api/send", { to: "eve" })}.catch(() => {}).finally(() => fetch("/over"))`,
      ),
    },
    steps: [
      { go: "http://reads.test/" },
      { page: "read" },
      { go: "http://reads.test/autoq?to=eve" },
      { until: "/over" },
    ],
    plainly: [{ go: "http://reads.test/autoq?to=eve" }],
    answers: [],
    arrives: [],
    never: [/\/api\/send/],
  },
  {
    id: "H12",
    title: "a click that only moves the focus, and keys that press another element",
    pages: {
      "focus.test/": document(
        `<label>Note <input id="note"></label><button id="drop">Delete account</button>`,
        `note.onfocus = () => drop.focus(); drop.onclick = () => ${sending("/account/delete", {})}`,
      ),
    },
    steps: [{ go: "http://focus.test/" }, { click: 'textbox "Note"' }, { press: "Enter" }],
    answers: [],
    arrives: [],
    never: [/\/account\/delete/],
    asked: [/"Delete account"/],
  },
];

/** What somebody said no to stays so, whatever else would let it pass. */
const afterNo: readonly AnsweredRow[] = [
  {
    id: "H7",
    title: "what somebody said no to does not follow from a yes to something else",
    pages: {
      "said.test/": document(
        `<button id="drop">Drop</button><button id="star">Star</button>`,
        `drop.onclick = () => ${sending("/api/items/7/hide", {})}; star.onclick = () => ${sending("/api/items/7/star", {})}.finally(() => ${sending("/api/items/7/hide", {})}${OVER})`,
      ),
    },
    steps: [{ go: "http://said.test/" }, { click: 'button "Drop"' }, { click: 'button "Star"' }, UNTIL_OVER],
    answers: ["no", "once"],
    arrives: [/\/star/],
    never: [/\/hide/],
  },
];

export const answeredRows: readonly AnsweredRow[] = [
  ...afterForm,
  ...secondForms,
  ...afterTask,
  ...afterYes,
  ...inputs,
  ...afterNo,
];
