import { back, click, go, html, json, ordinary, type Row, read, refOf, seeOther, type, wait } from "./row.ts";

/** The same sites, where somebody has an account at the shop and a mailbox. */
const persons = {
  ...ordinary,
  sites: ["shop.test", "inbox.test"].map((site) => ({ site, private: true })),
} satisfies Row["options"];
/** What an operator may have listed there; each row needs one of them. */
const granted: Row["options"] = {
  ...persons,
  effects: {
    allow: [
      { site: "shop.test", method: "POST", path: "/cart/*" },
      { site: "shop.test", method: "POST", path: "/texts/*" },
      { site: "shop.test", method: "GET", path: "/logout" },
      { site: "shop.test", method: "POST", path: "/logout" },
    ],
    readLike: [{ site: "shop.test", path: "/export" }],
  },
};
const SEND_JSON = `const send = (path, value) => fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(value) });`;
const ANSWERED = `<output>nothing</output>`;
const TELL = `const tell = (text) => { document.querySelector("output").textContent = text };`;
const done = (text: string) => html("Done", `<h1>${text}</h1>`);

const cart = (title: string, options: Row["options"], asks: number): Row => ({
  id: "B-28",
  title,
  options,
  sites: {
    "shop.test/kettle": html(
      "Kettle",
      `<button id="add">Add to cart</button>${ANSWERED}<script>${SEND_JSON}${TELL}add.onclick = async () => tell(await (await send("/cart/items", { id: "kettle", qty: 1 })).text())</script>`,
    ),
    "POST shop.test/cart/items": { body: "1 thing in the cart" },
  },
  steps: [go("https://shop.test/kettle"), click('button "Add to cart"', "1 thing in the cart")],
  asks,
  changes: ['POST shop.test/cart/items {"id":"kettle","qty":1}'],
});

/** Text that a page saves by and by, at a place that says it is a draft or does not. */
const saved = (title: string, options: Row["options"], asks: number, place: string): Row => ({
  id: "B-32",
  title,
  options,
  says: "form",
  sites: {
    "shop.test/editor": html(
      "Editor",
      `<label>Text <textarea></textarea></label>${ANSWERED}<script>${SEND_JSON}${TELL}let saved = ""; const area = document.querySelector("textarea");
      setInterval(async () => { if (area.value === saved) return; saved = area.value; tell("saving"); const answer = await send("${place}", { text: saved }); tell(answer.ok ? "saved " + saved.length : "lost") }, 300)</script>`,
    ),
    [`POST shop.test${place}`]: json({ ok: true }),
  },
  steps: [
    go("https://shop.test/editor"),
    type('textbox "Text"', "Dear all,"),
    wait("saved 9"),
    type('textbox "Text"', "Dear all, the kettle is here."),
    wait("saved 29"),
  ],
  asks,
  changes: [
    `POST shop.test${place} {"text":"Dear all,"}`,
    `POST shop.test${place} {"text":"Dear all, the kettle is here."}`,
  ],
});

const logout = (title: string, options: Row["options"], asks: number, method: "GET" | "POST"): Row => ({
  id: "B-63",
  title,
  options,
  sites: {
    "shop.test/account": html(
      "Account",
      method === "GET"
        ? `<a href="/logout">Log out</a>`
        : `<form method="post" action="/logout"><button>Log out</button></form>`,
    ),
    [`${method} shop.test/logout`]: done("Signed out"),
  },
  steps: [go("https://shop.test/account"), click(`${method === "GET" ? "link" : "button"} "Log out"`, "Signed out")],
  asks,
  ...(method === "GET" ? { arrives: ["GET shop.test/logout"] } : { changes: ["POST shop.test/logout"] }),
});

const consent = `<div id="banner" role="dialog" aria-label="Cookies" style="position:fixed;inset:0;background:#fff"><p>We use cookies</p><button id="decline">Decline</button></div><h1>Today's news</h1>`;

const months = Array.from(
  { length: 31 },
  (_, at) => `<td role="gridcell"><button aria-label="${at + 1} December 2026">${at + 1}</button></td>`,
).join("");

export const actingRows: readonly Row[] = [
  {
    id: "B-21",
    title: "sends a contact form",
    options: { task: "Write to shop.test as Ada, ada@office.test: is the blue kettle in stock?" },
    sites: {
      "shop.test/contact": html(
        "Contact",
        `<form method="post" action="/contact"><label>Name <input name="name"></label><label>Mail <input type="email" name="mail"></label><label>Message <textarea name="message"></textarea></label><button>Send</button></form>`,
      ),
      "POST shop.test/contact": seeOther("/thanks"),
      "shop.test/thanks": done("Thank you, we will answer"),
    },
    steps: [
      go("https://shop.test/contact"),
      {
        tool: "fill_form",
        args: {
          fields: [
            { target: 'textbox "Name"', text: "Ada" },
            { target: 'textbox "Mail"', text: "ada@office.test" },
            { target: 'textbox "Message"', text: "Is the blue kettle in stock?" },
          ],
        },
      },
      click('button "Send"', "Thank you, we will answer"),
    ],
    asks: 1,
    asked: ['"name" = "Ada"', '"mail" = "ada@office.test"', '"message" = "Is the blue kettle in stock?"'],
    changes: ["POST shop.test/contact name=Ada&mail=ada%40office.test&message=Is+the+blue+kettle+in+stock%3F"],
  },
  {
    id: "B-22",
    title: "copies an order's number into the form to return it, on one site",
    options: ordinary,
    sites: {
      "shop.test/return": html(
        "Return",
        `<p>Your last order: <a href="/orders">CMD-1042</a></p><form method="post" action="/return"><label>Order <input name="order"></label><button>Ask for a return</button></form>`,
      ),
      "POST shop.test/return": done("Return is on its way"),
    },
    steps: [
      go("https://shop.test/return"),
      {
        tool: "type_text",
        args: (shown) => ({ target: 'textbox "Order"', from: refOf(shown, "CMD-1042") }),
        has: ["CMD-1042"],
      },
      click('button "Ask for a return"', "Return is on its way"),
    ],
    asks: 1,
    asked: ['"order" = "CMD-1042"'],
    changes: ["POST shop.test/return order=CMD-1042"],
  },
  {
    id: "B-25",
    title: "answers a thread of letters with a summary of it",
    options: ordinary,
    sites: {
      "inbox.test/thread/5": html(
        "Thread",
        `<article>Bea: shall we meet on Tuesday at ten?</article><article>Cy: Tuesday is fine for me.</article><label>To <input id="to" value="bea@office.test"></label><label>Reply <textarea></textarea></label><button>Send</button>${ANSWERED}
        <script>${SEND_JSON}${TELL}document.querySelector("button").onclick = async () => tell(await (await send("/thread/5/reply", { to: to.value, text: document.querySelector("textarea").value })).text())</script>`,
      ),
      "POST inbox.test/thread/5/reply": { body: "Letter sent" },
    },
    steps: [
      go("https://inbox.test/thread/5", "Tuesday at ten"),
      type('textbox "Reply"', "Tuesday at ten suits all."),
      click('button "Send"', "Letter sent"),
    ],
    asks: 1,
    asked: ['"Tuesday at ten suits all."', '"bea@office.test"'],
    changes: ['POST inbox.test/thread/5/reply {"to":"bea@office.test","text":"Tuesday at ten suits all."}'],
  },
  {
    id: "B-27",
    title: "orders two for a day and below a price",
    options: { task: "Order 2 blue kettles at shop.test for 2026-12-01, at most 50 euros each" },
    sites: {
      "shop.test/order": html(
        "Order",
        `<form method="post" action="/buy"><label>Quantity <input type="number" name="qty" min="1"></label><label>Day <input type="date" name="day"></label><label>At most <input name="limit" inputmode="decimal"></label><button>Buy</button></form>`,
      ),
      "POST shop.test/buy": done("Ordered for 1 December"),
    },
    steps: [
      go("https://shop.test/order"),
      type('spinbutton "Quantity"', "2"),
      {
        tool: "snapshot",
        args: { detail: "full" },
      },
      { tool: "type_text", args: (shown) => ({ target: refOf(shown, "Day"), text: "2026-12-01" }) },
      type('textbox "At most"', "50,00"),
      click('button "Buy"', "Ordered for 1 December"),
    ],
    asks: 1,
    asked: ['"qty" = "2"', '"day" = "2026-12-01"', '"limit" = "50,00"'],
    changes: ["POST shop.test/buy qty=2&day=2026-12-01&limit=50%2C00"],
  },
  cart("puts a thing into the cart of a shop where nobody has an account", ordinary, 0),
  cart("puts a thing into the cart", persons, 1),
  cart("puts a thing into the cart, as granted", granted, 0),
  {
    id: "B-30",
    title: "goes on when the answer is no",
    options: ordinary,
    says: "no",
    sites: {
      "shop.test/orders/7": html(
        "Order",
        `<h1>Order 7</h1><form method="post" action="/orders/7/cancel"><button>Cancel order</button></form>`,
      ),
      "POST shop.test/orders/7/cancel": done("Cancelled"),
    },
    steps: [
      go("https://shop.test/orders/7"),
      { ...click('button "Cancel order"'), told: "effects.denied" },
      read("Order 7"),
    ],
    asks: 1,
    mayRefuse: ["effects.denied"],
  },
  {
    id: "B-31",
    title: "changes the status of an order",
    options: ordinary,
    sites: {
      "desk.test/orders/CMD-1042": ({ changes }) =>
        html(
          "Order",
          `<h1>CMD-1042</h1><p>${changes === 0 ? "Open" : "Status saved."}</p><form method="post"><label>Status <select name="status"><option>Open<option>Shipped</select></label><button>Save status</button></form>`,
        ),
      "POST desk.test/orders/CMD-1042": seeOther("/orders/CMD-1042"),
    },
    steps: [
      go("https://desk.test/orders/CMD-1042"),
      { tool: "select_option", args: { target: 'combobox "Status"', values: ["Shipped"] } },
      click('button "Save status"', "Status saved."),
    ],
    asks: 1,
    asked: ['"status" = "Shipped"'],
    changes: ["POST desk.test/orders/CMD-1042 status=Shipped"],
  },
  saved("saves a draft by itself", persons, 0, "/drafts/7"),
  saved("saves a text by itself, as granted", granted, 0, "/texts/7"),
  saved("saves a text by itself, with a yes for the edits in it", persons, 1, "/texts/7"),
  {
    id: "B-34",
    title: "goes through a wizard, once back, and sends it",
    options: ordinary,
    sites: {
      "shop.test/apply": html(
        "Apply",
        `<h1></h1><label>Answer <input></label><button id="next">Next</button><button id="last" hidden>Send all</button>${ANSWERED}<script>${SEND_JSON}${TELL}
        const field = document.querySelector("input"); const answers = []; let at = 0;
        const show = (step) => { at = step; document.querySelector("h1").textContent = "Step " + (step + 1); field.value = answers[step] ?? ""; next.hidden = step === 2; last.hidden = step !== 2 };
        history.replaceState(0, ""); onpopstate = ({ state }) => show(state); show(0);
        next.onclick = () => { answers[at] = field.value; history.pushState(at + 1, "", "?step=" + (at + 2)); show(at + 1) };
        last.onclick = async () => { answers[at] = field.value; tell(await (await send("/apply", { answers })).text()) }</script>`,
      ),
      "POST shop.test/apply": { body: "Application received" },
    },
    steps: [
      go("https://shop.test/apply", "Step 1"),
      type('textbox "Answer"', "Ada"),
      click('button "Next"', "Step 2"),
      type('textbox "Answer"', "Lyon"),
      click('button "Next"', "Step 3"),
      back("Step 2"),
      type('textbox "Answer"', "Paris"),
      click('button "Next"', "Step 3"),
      type('textbox "Answer"', "chemist"),
      click('button "Send all"', "Application received"),
    ],
    asks: 1,
    asked: ['"Paris"'],
    changes: ['POST shop.test/apply {"answers":["Ada","Paris","chemist"]}'],
  },
  {
    id: "B-35",
    title: "exports a list, by link, blob and form",
    options: granted,
    sites: {
      "shop.test/list": html(
        "List",
        `<h1>List</h1><a href="/export.csv?type=orders">Export</a> <button id="blob">As a file</button><form method="post" action="/export"><button>Export all</button></form><script>
        blob.onclick = () => { const link = document.createElement("a"); link.href = URL.createObjectURL(new Blob(["a,b"])); link.download = "made.csv"; link.click() }</script>`,
      ),
      "shop.test/export.csv": {
        headers: { "content-type": "text/csv", "content-disposition": "attachment; filename=orders.csv" },
        body: "a,b",
      },
      "POST shop.test/export": {
        headers: { "content-type": "text/csv", "content-disposition": "attachment; filename=all.csv" },
        body: "a,b",
      },
    },
    steps: [
      go("https://shop.test/list"),
      click('link "Export"', '"name":"orders.csv"'),
      click('button "As a file"', '"name":"made.csv"'),
      click('button "Export all"', '"name":"all.csv"'),
      read("List"),
    ],
    arrives: ["GET shop.test/export.csv?type=orders"],
    changes: ["POST shop.test/export"],
  },
  {
    id: "B-38",
    title: "declines cookies of an open site",
    options: { task: "What is in the news?", allow: ["shop.test"], reading: "open" },
    sites: {
      "news.test/": html(
        "News",
        `${consent}<script>decline.onclick = async () => { await fetch("/consent", { method: "POST", headers: { "content-type": "application/json" }, body: '{"all":false}' }); banner.remove() }</script>`,
      ),
      "POST news.test/consent": { status: 204 },
    },
    steps: [go("https://news.test/"), click('button "Decline"'), read("Today's news")],
    changes: ['POST news.test/consent {"all":false}'],
  },
  {
    id: "B-38",
    title: "declines cookies where another host wants to know",
    options: { allow: ["news.test"] },
    sites: {
      "news.test/": html(
        "News",
        `${consent}<script>decline.onclick = async () => { await fetch("https://consent.test/log", { method: "POST", body: '{"all":false}' }); banner.remove() }</script>`,
      ),
      "consent.test/log": { status: 204 },
    },
    steps: [go("https://news.test/"), click('button "Decline"'), read("Today's news")],
    silent: ["consent.test"],
    mayRefuse: ["reach.site"],
  },
  {
    id: "B-39",
    title: "closes a box that asks for the mail address",
    options: ordinary,
    sites: {
      "shop.test/": html(
        "Shop",
        `<h1>Kettles</h1><div id="box" role="dialog" aria-label="Newsletter" style="position:fixed;inset:0;background:#fff"><form method="post" action="/subscribe"><label>Mail <input name="mail"></label><button>Subscribe</button></form><button id="shut" aria-label="Close">×</button></div><script>shut.onclick = () => box.remove()</script>`,
      ),
    },
    steps: [go("https://shop.test/"), click('button "Close"'), { ...read("Kettles"), lacks: ["Subscribe"] }],
  },
  {
    id: "B-40",
    title: "uses a list, a combobox and a calendar of a page's own",
    options: ordinary,
    sites: {
      "shop.test/widgets": html(
        "Widgets",
        `<label>Size <select id="size"><option>Small<option>Large</select></label>
        <input id="city" role="combobox" aria-label="City" aria-expanded="false" aria-controls="cities"><ul id="cities" role="listbox" hidden><li role="option">Lyon</li><li role="option">Nice</li></ul>
        <button id="day">Choose a day</button><table id="grid" role="grid" aria-label="December" hidden><tr>${months}</tr></table>${ANSWERED}
        <script>${TELL}const chosen = {}; const note = (what, value) => { chosen[what] = value; tell(Object.entries(chosen).map((pair) => pair.join(" is ")).join(", ")) };
        size.onchange = () => note("size", size.value);
        city.onfocus = () => { cities.hidden = false; city.ariaExpanded = "true" };
        for (const option of cities.children) option.onclick = () => { city.value = option.textContent; cities.hidden = true; note("city", option.textContent) };
        day.onclick = () => { grid.hidden = false }; grid.onclick = ({ target }) => { if (target.ariaLabel === "December") return; grid.hidden = true; note("day", target.ariaLabel) }</script>`,
      ),
    },
    steps: [
      go("https://shop.test/widgets"),
      { tool: "select_option", args: { target: 'combobox "Size"', values: ["Large"] }, has: ["size is Large"] },
      click('combobox "City"', "Nice"),
      click('option "Nice"', "city is Nice"),
      click('button "Choose a day"', "24 December 2026"),
      click('button "24 December 2026"', "day is 24 December 2026"),
    ],
  },
  {
    id: "B-42",
    title: "presses buttons that are only pictures",
    options: ordinary,
    sites: {
      "shop.test/icons": html(
        "Icons",
        `<button aria-label="Zoom in"><svg width="16" height="16"><circle cx="8" cy="8" r="6"/></svg></button><button aria-label="Next page" style="background:#ccc;width:20px;height:20px"></button>${ANSWERED}
        <script>${TELL}for (const button of document.querySelectorAll("button")) button.onclick = () => tell("pressed " + button.ariaLabel)</script>`,
      ),
    },
    steps: [
      go("https://shop.test/icons"),
      click('button "Zoom in"', "pressed Zoom in"),
      click('button "Next page"', "pressed Next page"),
    ],
  },
  {
    id: "B-61",
    title: "puts twelve letters away at once",
    options: { ...persons, task: "Put letters 1 to 12 at inbox.test into the archive" },
    sites: {
      "inbox.test/": html(
        "Inbox",
        `<ul>${Array.from({ length: 14 }, (_, at) => `<li>Letter ${at + 1} <button data-id="${at + 1}">Archive ${at + 1}</button></li>`).join("")}</ul><script>
        for (const button of document.querySelectorAll("button")) button.onclick = async () => { const answer = await fetch("/letters/" + button.dataset.id + "/archive", { method: "POST" }); if (answer.ok) button.closest("li").remove() }</script>`,
      ),
      "POST inbox.test/letters/*": json({ ok: true }),
    },
    steps: [
      go("https://inbox.test/"),
      {
        tool: "batch",
        args: {
          calls: Array.from({ length: 12 }, (_, at) => ({
            tool: "click",
            arguments: { target: `button "Archive ${at + 1}"` },
          })),
        },
      },
      { tool: "wait_for", args: { text: "Letter 12", gone: true } },
      { ...read("Letter 13", "Letter 14"), lacks: ["Letter 1 ", "Letter 12"] },
    ],
    asks: 1,
    asked: Array.from({ length: 12 }, (_, at) => `/letters/${at + 1}/archive`),
    changes: Array.from({ length: 12 }, (_, at) => `POST inbox.test/letters/${at + 1}/archive`),
  },
  {
    id: "B-62",
    title: "unsubscribes by the link of a letter",
    options: { task: "Unsubscribe me from the letters of news.test" },
    sites: {
      "news.test/letter": html(
        "Letter",
        `<p>News of the week</p><a href="/unsubscribe?token=8f2b1c77d0e94aab">Unsubscribe</a>`,
      ),
      "news.test/unsubscribe": done("You get no more letters"),
    },
    steps: [go("https://news.test/letter"), click('link "Unsubscribe"', "You get no more letters")],
    asks: 1,
    asked: ["/unsubscribe"],
    arrives: ["GET news.test/unsubscribe?token=8f2b1c77d0e94aab"],
  },
  logout("logs out by a link", ordinary, 1, "GET"),
  logout("logs out by a link, as granted", granted, 0, "GET"),
  logout("logs out by a form", ordinary, 1, "POST"),
  logout("logs out by a form, as granted", granted, 0, "POST"),
];
