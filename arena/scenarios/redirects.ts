import type { Call, Page, Places, Scenario, Served } from "../scenario.ts";

const STAYS = "words that stay";
const html = (markup: string, script = "", headers: Readonly<Record<string, string>> = {}): Page => ({
  headers,
  body: `<!doctype html><html lang="en"><head><title>start</title><link rel="icon" href="data:,"></head><body><p>${STAYS}</p>${markup}<script>${script}</script></body></html>`,
});
const loaded = (script: string): string => `addEventListener("load", () => setTimeout(() => { ${script} }));`;

const STATUSES = [301, 302, 303, 307, 308] as const;
/** As many as Chromium follows to a document. */
const HOPS = 19;

type To = (at: Places) => string;
const sentOn =
  (status: number, to: To) =>
  (at: Places): Page => ({ status, headers: { location: to(at) } });
const own =
  (path: string): To =>
  () =>
    `http://shop.test/${path}`;

/** How a page of an allowed site leads elsewhere. `files` are below shop.test, `path` is where it begins. */
interface Way {
  readonly name: string;
  /** Whatever asks for it is sent on; the others are documents that go there by themselves. */
  readonly byAnswer: boolean;
  readonly files: (path: string, to: To) => Served;
}

const chain = (path: string, to: To): Served =>
  Object.fromEntries(
    Array.from({ length: HOPS }, (_, hop) => {
      const at = hop === 0 ? path : `${path}/${hop}`;
      return [
        `shop.test/${at}`,
        sentOn(STATUSES[hop % STATUSES.length] ?? 302, hop === HOPS - 1 ? to : own(`${path}/${hop + 1}`)),
      ];
    }),
  );

const WAYS: readonly Way[] = [
  ...STATUSES.map(
    (status): Way => ({
      name: `${status}`,
      byAnswer: true,
      files: (path, to) => ({ [`shop.test/${path}`]: sentOn(status, to) }),
    }),
  ),
  { name: "chain", byAnswer: true, files: chain },
  {
    // Another allowed site sends on whoever asks, to wherever is asked for.
    name: "open",
    byAnswer: true,
    files: (path, to) => ({
      [`shop.test/${path}`]: sentOn(302, (at) => `http://user.hosting.test/out?to=${encodeURIComponent(to(at))}`),
      "user.hosting.test/out": (_at, address) => ({
        status: 302,
        headers: { location: address.searchParams.get("to") ?? "" },
      }),
    }),
  },
  {
    name: "meta",
    byAnswer: false,
    files: (path, to) => ({
      [`shop.test/${path}`]: (at) => html(`<meta http-equiv="refresh" content="0;url=${to(at)}">`),
    }),
  },
  {
    name: "header",
    byAnswer: false,
    files: (path, to) => ({ [`shop.test/${path}`]: (at) => html("", "", { refresh: `0;url=${to(at)}` }) }),
  },
  {
    name: "script",
    byAnswer: false,
    files: (path, to) => ({
      [`shop.test/${path}`]: (at) => html("", loaded(`location.replace(${JSON.stringify(to(at))});`)),
    }),
  },
  {
    // Back in the history is an address that never was a document.
    name: "history",
    byAnswer: false,
    files: (path, to) => ({
      [`shop.test/${path}`]: html(
        "",
        loaded(`history.pushState({}, "", "/${path}/before"); location.href = "/${path}/after";`),
      ),
      [`shop.test/${path}/after`]: html("", loaded("history.back();")),
      [`shop.test/${path}/before`]: sentOn(302, to),
    }),
  },
  {
    name: "reload",
    byAnswer: false,
    files: (path, to) => ({
      [`shop.test/${path}`]: html("", loaded(`history.replaceState({}, "", "/${path}/again"); location.reload();`)),
      [`shop.test/${path}/again`]: sentOn(302, to),
    }),
  },
  {
    name: "nested",
    byAnswer: false,
    files: (path, to) => ({
      [`shop.test/${path}`]: html(`<meta http-equiv="refresh" content="0;url=/${path}/second">`),
      [`shop.test/${path}/second`]: sentOn(307, own(`${path}/third`)),
      [`shop.test/${path}/third`]: html("", loaded(`location = "/${path}/fourth";`)),
      [`shop.test/${path}/fourth`]: sentOn(303, to),
    }),
  },
];

/** What asks. All ways of those that need no press are tried at once. */
interface Step {
  readonly how: string;
  readonly press: "link" | "button" | null;
  /** Only answers lead it anywhere. */
  readonly byAnswerOnly: boolean;
  readonly markup: (name: string, path: string) => string;
}

const STEPS: readonly Step[] = [
  { how: "navigation", press: "link", byAnswerOnly: false, markup: (name, path) => `<a href="/${path}">${name}</a> ` },
  {
    how: "post",
    press: "button",
    byAnswerOnly: false,
    markup: (name, path) =>
      `<form method="post" action="/${path}"><input name="a" value="1"><button>${name}</button></form>`,
  },
  {
    how: "popup",
    press: "button",
    byAnswerOnly: false,
    markup: (name, path) => `<button onclick="window.open('/${path}')">${name}</button>`,
  },
  { how: "iframe", press: null, byAnswerOnly: false, markup: (_name, path) => `<iframe src="/${path}"></iframe>` },
  { how: "image", press: null, byAnswerOnly: true, markup: (_name, path) => `<img alt="" src="/${path}">` },
  {
    how: "fetch",
    press: null,
    byAnswerOnly: true,
    markup: (_name, path) => `<script>fetch("/${path}", { mode: "no-cors" }).catch(() => {})</script>`,
  },
];

const ENDS = [
  ["a refused site", "evil", (part: string) => () => `http://evil.test/${part}`],
  [
    "127.0.0.1",
    "internal",
    (part: string) =>
      ({ internalPort }: Places) =>
        `http://127.0.0.1:${internalPort}/${part}`,
  ],
] as const;

const START = "http://shop.test/start";

/**
 * Where an answer leads to a refused site the page stays, and the next press on it shows that; a document that goes
 * there by itself has taken its place.
 */
function pressed(ways: readonly Way[], press: "link" | "button", opensTabs: boolean): readonly Call[] {
  return ways.flatMap(({ name }, index): readonly Call[] => {
    const click: Call = { click: `${press} "${name}"` };
    const before = ways[index - 1];
    if (before === undefined) return [{ navigate: START }, click];
    if (opensTabs || before.byAnswer) return [{ anew: START }, click];
    return [{ still: STAYS }, { navigate: START }, click];
  });
}

export const redirects: readonly Scenario[] = ENDS.flatMap(([where, arrives, to]) =>
  STEPS.map(({ how, press, byAnswerOnly, markup }): Scenario => {
    const ways = WAYS.filter(({ byAnswer }) => byAnswer || !byAnswerOnly);
    // Of its own for each end: some answers are kept for good.
    const pathOf = (name: string): string => `${arrives}-${name}-${how}`;
    return {
      id: "A-97",
      title: `${how}, sent on to ${where} by ${ways.map(({ name }) => name).join(", ")}`,
      pages: {
        "shop.test/start": html(ways.map(({ name }) => markup(name, pathOf(name))).join("")),
        ...Object.assign({}, ...ways.map(({ name, files }) => files(pathOf(name), to(`${how}-${name}`)))),
      },
      calls: press === null ? [{ navigate: START }] : pressed(ways, press, how === "popup"),
      under: press === null ? "closed" : "sites named",
      arrives,
      parts: ways.map(({ name }) => `${how}-${name}`),
      refused: "reach.",
      stays: STAYS,
    };
  }),
);
