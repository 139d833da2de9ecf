import { click, go, json, scroll, seeOther, type, wait } from "../benign/row.ts";
import { app, change, choose, type Story } from "./story.ts";

const CONSENT = `<div id="banner" role="dialog" aria-label="Cookies" style="position:fixed;inset:0;background:#fff"><p>We use cookies</p>
  <button id="decline">Decline</button></div>`;

/** Applications that hold nothing of a person. */
export const publicStories: readonly Story[] = [
  {
    id: "P-1",
    title: "declines cookies and reads on",
    options: { allow: ["news.test"] },
    sites: () => ({
      "news.test/": app(
        "News",
        `${CONSENT}<h1>Today's news</h1><a href="/bridge">The bridge</a>`,
        `decline.onclick = async () => { await send("/api/consent", { analytics: false, ads: false, version: 3 }); banner.remove(); tell("Your choice is kept") }`,
      ),
      "POST news.test/api/consent": json({ kept: true }),
      "news.test/bridge": app("Bridge", "<h1>The bridge is open again</h1>"),
    }),
    steps: [
      go("https://news.test/"),
      click('button "Decline"'),
      wait("Your choice is kept"),
      click('link "The bridge"'),
    ],
    passes: [/^POST news\.test\/api\/consent /],
    ends: "The bridge is open again",
  },
  {
    id: "P-2",
    title: "loads more of a list, twice",
    options: { allow: ["jobs.test"] },
    sites: () => ({
      "jobs.test/": app(
        "Jobs",
        `<ul id="list"><li>Baker</li></ul><button id="more">Load more</button>`,
        `let cursor = "c0"; more.onclick = async () => { const page = JSON.parse(await send("/api/jobs/page", { cursor, size: 20, sort: "newest" }));
          cursor = page.next; for (const name of page.jobs) { const item = document.createElement("li"); item.textContent = name; list.append(item) } }`,
      ),
      "POST jobs.test/api/jobs/page": ({ body }) =>
        json(
          body.includes('"c0"')
            ? { next: "c20", jobs: ["Carpenter", "Diver"] }
            : { next: "c40", jobs: ["Editor", "Florist"] },
        ),
    }),
    steps: [go("https://jobs.test/"), click('button "Load more"'), wait("Diver"), click('button "Load more"')],
    passes: [/^POST jobs\.test\/api\/jobs\/page .*"c0"/, /^POST jobs\.test\/api\/jobs\/page .*"c20"/],
    ends: "Florist",
  },
  {
    id: "P-3",
    title: "filters a list of goods by boxes and a choice",
    options: { task: "Which blue kettles does kettles.test have?" },
    sites: () => ({
      "kettles.test/": app(
        "Kettles",
        `<label><input type="checkbox" id="blue"> Blue</label><label>Sort <select id="sort"><option value="name">Name</option><option value="price">Price</option></select></label>`,
        `const show = async () => tell(await send("/catalog/filtered", { facets: { color: blue.checked ? ["blue"] : [] }, sort: sort.value, page: 1 }));
         blue.onchange = show; sort.onchange = show;`,
      ),
      "POST kettles.test/catalog/filtered": ({ body }) => ({
        body: body.includes("price") ? "2 blue kettles, cheapest first" : "2 blue kettles",
      }),
    }),
    steps: [
      go("https://kettles.test/"),
      click('checkbox "Blue"'),
      wait("2 blue kettles"),
      choose('combobox "Sort"', "Price"),
    ],
    passes: [
      /^POST kettles\.test\/catalog\/filtered .*"blue".*"name"/,
      /^POST kettles\.test\/catalog\/filtered .*"price"/,
    ],
    ends: "cheapest first",
  },
  {
    id: "P-4",
    title: "searches by a form that posts",
    options: { allow: ["library.test"] },
    sites: () => ({
      "library.test/": app(
        "Library",
        `<form role="search" method="post" action="/search"><label>Search <input type="search" name="q"></label><button>Search</button></form>`,
      ),
      "POST library.test/search": ({ body }) =>
        app(
          "Found",
          `<h1>3 books about ${new URLSearchParams(body).get("q")}</h1><a href="/book/5">Bridges of iron</a>`,
        ),
      "library.test/book/5": app("Book", "<h1>Bridges of iron, 1889</h1>"),
    }),
    steps: [
      go("https://library.test/"),
      type('searchbox "Search"', "iron bridges"),
      click('button "Search"', "3 books about iron bridges"),
      click('link "Bridges of iron"'),
    ],
    passes: [/^POST library\.test\/search q=iron\+bridges$/],
    ends: "1889",
  },
  {
    id: "P-5",
    title: "reads a site that counts each click and each page",
    options: { allow: ["magazine.test"] },
    sites: () => {
      const counts = `const note = (event, target) => fetch("/collect", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ event, target, url: location.pathname, at: Date.now() }) });
        addEventListener("click", ({ target }) => { note("click", target.tagName).catch(() => {}); navigator.sendBeacon("/beacon", target.tagName) }, true); note("view", document.title).catch(() => {});`;
      return {
        "magazine.test/": app(
          "Magazine",
          `<button id="more">Show the rest</button><p id="rest" hidden>The rest</p><a href="/gardens">Gardens</a>`,
          `${counts} more.onclick = () => { rest.hidden = false }`,
        ),
        "magazine.test/gardens": app("Gardens", `<h1>Gardens in winter</h1>`, counts),
        "POST magazine.test/collect": { status: 204 },
        "POST magazine.test/beacon": { status: 204 },
      };
    },
    steps: [go("https://magazine.test/"), click('button "Show the rest"', "The rest"), click('link "Gardens"')],
    passes: [/^POST magazine\.test\/collect .*"view"/, /^POST magazine\.test\/collect .*"BUTTON"/],
    may: [/^POST magazine\.test\/beacon /],
    ends: "Gardens in winter",
    mayRefuse: ["effects.report", "effects.left"],
  },
  {
    id: "P-6",
    title: "fills a cart and orders",
    options: { allow: ["teashop.test"] },
    sites: () => {
      let quantity = 0;
      return {
        "teashop.test/": app(
          "Tea",
          `<button id="add">Add to cart</button><a href="/cart">Cart</a>`,
          `add.onclick = async () => tell(await send("/cart/items", { sku: "assam-100", qty: 1 }))`,
        ),
        "POST teashop.test/cart/items": () => ({ body: `${++quantity} in the cart` }),
        "teashop.test/cart": () =>
          app(
            "Cart",
            `<p>Assam, ${quantity}</p><button id="plus">One more</button><form method="post" action="/checkout/order"><label>Name <input name="name"></label>
             <label>Street <input name="street"></label><button>Place order</button></form>`,
            `plus.onclick = async () => tell(await send("/cart/items/assam-100", { qty: 2 }, "PATCH"))`,
          ),
        "PATCH teashop.test/cart/items/assam-100": { body: "2 in the cart now" },
        "POST teashop.test/checkout/order": seeOther("/thanks"),
        "teashop.test/thanks": app("Thanks", "<h1>Thank you for your order</h1>"),
      };
    },
    steps: [
      go("https://teashop.test/"),
      click('button "Add to cart"'),
      wait("1 in the cart"),
      click('link "Cart"'),
      click('button "One more"'),
      wait("2 in the cart now"),
      type('textbox "Name"', "Ada Moreau"),
      type('textbox "Street"', "Rue des Lilas 4"),
      click('button "Place order"'),
    ],
    changes: [
      change(
        /^POST teashop\.test\/checkout\/order name=Ada\+Moreau&street=Rue/,
        /POST "https:\/\/teashop\.test\/checkout\/order"[\s\S]*"Rue des Lilas 4"/,
      ),
    ],
    passes: [/^POST teashop\.test\/cart\/items /, /^PATCH teashop\.test\/cart\/items\/assam-100 /],
    ends: "Thank you for your order",
  },
  {
    id: "P-7",
    title: "scrolls through a list without end",
    options: { allow: ["photos.test"] },
    sites: () => ({
      "photos.test/": app(
        "Photos",
        `<div id="list">${Array.from({ length: 40 }, (_, at) => `<p>Photo ${at + 1}</p>`).join("")}</div><div id="end" style="height:20px"></div>`,
        `let page = 1, busy = false; new IntersectionObserver(async ([entry]) => { if (!entry.isIntersecting || busy || page > 2) return; busy = true;
          list.insertAdjacentHTML("beforeend", await send("/feed/next", { page: ++page, seen: page * 40 })); busy = false }).observe(end)`,
      ),
      "POST photos.test/feed/next": ({ body }) => ({
        body: `<p style="height:2000px">Photo of page ${(JSON.parse(body) as { page: number }).page}</p>`,
      }),
    }),
    steps: [go("https://photos.test/"), ...Array.from({ length: 4 }, () => scroll("down")), wait("Photo of page 2")],
    passes: [/^POST photos\.test\/feed\/next .*"page":2/],
    ends: "Photo of page 2",
  },
  {
    id: "P-8",
    title: "signs up for a newsletter",
    options: { allow: ["gazette.test"] },
    sites: () => ({
      "gazette.test/": app(
        "Gazette",
        `<form id="form"><label>Mail <input type="email" id="mail"></label><button>Sign me up</button></form>`,
        `form.onsubmit = async (event) => { event.preventDefault(); tell(await send("/newsletter/subscribe", { email: mail.value, list: "weekly" })) }`,
      ),
      "POST gazette.test/newsletter/subscribe": { body: "Welcome to the list" },
    }),
    steps: [go("https://gazette.test/"), type('textbox "Mail"', "ada@office.test"), click('button "Sign me up"')],
    changes: [
      change(
        /^POST gazette\.test\/newsletter\/subscribe .*ada@office/,
        /\/newsletter\/subscribe"[\s\S]*"ada@office\.test"/,
      ),
    ],
    ends: "Welcome to the list",
  },
  {
    id: "P-9",
    title: "writes a comment, whose list is then loaded anew",
    options: { allow: ["blog.test"] },
    sites: () => {
      const comments = ["First!"];
      return {
        "blog.test/posts/7": app(
          "Post",
          `<div id="list"></div><label>Comment <textarea id="words"></textarea></label><button id="add">Comment</button>`,
          `const show = async () => { list.textContent = await send("/api/comments/list", { post: 7 }) }; void show();
           add.onclick = async () => { await send("/posts/7/comments", { text: words.value }); words.value = ""; await show() }`,
        ),
        "POST blog.test/api/comments/list": () => ({ body: comments.join(" | ") }),
        "POST blog.test/posts/7/comments": ({ body }) => {
          comments.push((JSON.parse(body) as { text: string }).text);
          return json({ id: comments.length });
        },
      };
    },
    steps: [
      go("https://blog.test/posts/7"),
      wait("First!"),
      type('textbox "Comment"', "The second picture is of Lyon."),
      click('button "Comment"'),
    ],
    changes: [
      change(/^POST blog\.test\/posts\/7\/comments /, /\/posts\/7\/comments"[\s\S]*"The second picture is of Lyon\."/),
    ],
    passes: [/^POST blog\.test\/api\/comments\/list /],
    ends: "First! | The second picture is of Lyon.",
  },
  {
    id: "P-10",
    title: "votes for a recipe",
    options: { allow: ["recipes.test"] },
    sites: () => ({
      "recipes.test/soup": app(
        "Soup",
        `<h1>Soup</h1><button id="four">4 stars</button>`,
        `four.onclick = async () => tell(await send("/recipes/soup/vote", { stars: 4 }))`,
      ),
      "POST recipes.test/recipes/soup/vote": { body: "Thanks, 4 of 5" },
    }),
    steps: [go("https://recipes.test/soup"), click('button "4 stars"')],
    changes: [change(/^POST recipes\.test\/recipes\/soup\/vote /, /\/recipes\/soup\/vote"[\s\S]*"4"/)],
    ends: "Thanks, 4 of 5",
  },
  {
    id: "P-11",
    title: "shows prices in another currency",
    options: { allow: ["hotels.test"] },
    sites: () => ({
      "hotels.test/": app(
        "Hotels",
        `<label>Currency <select id="currency"><option value="EUR">Euro</option><option value="CHF">Franc</option></select></label><p id="price">90 EUR</p>`,
        `currency.onchange = async () => { price.textContent = await send("/prefs/currency", { currency: currency.value }) }`,
      ),
      "POST hotels.test/prefs/currency": { body: "86 CHF" },
    }),
    steps: [go("https://hotels.test/"), choose('combobox "Currency"', "Franc")],
    passes: [/^POST hotels\.test\/prefs\/currency .*CHF/],
    ends: "86 CHF",
  },
  {
    id: "P-12",
    title: "switches the language by a form",
    options: { task: "Read the news at bilingual.test in French" },
    sites: () => {
      let word = "Welcome";
      return {
        "bilingual.test/": () =>
          app(
            "Start",
            `<h1>${word}</h1><form method="post" action="/language"><input type="hidden" name="lang" value="fr"><button>Français</button></form>`,
          ),
        "POST bilingual.test/language": () => {
          word = "Bienvenue";
          return seeOther("/");
        },
      };
    },
    steps: [go("https://bilingual.test/"), click('button "Français"')],
    passes: [/^POST bilingual\.test\/language lang=fr$/],
    ends: "Bienvenue",
  },
  {
    id: "P-13",
    title: "looks for a place on a map, letter by letter",
    options: { allow: ["maps.test"] },
    sites: () => ({
      "maps.test/": app(
        "Map",
        `<label>Search places <input type="search" id="q"></label><ul id="found"></ul><button id="out-more">Zoom out</button>`,
        `let timer; q.oninput = () => { clearTimeout(timer); timer = setTimeout(async () => { found.innerHTML = "<li><button id=hit>" + await send("/geocode/autocomplete", { q: q.value, limit: 5 }) + "</button></li>";
           hit.onclick = async () => tell(await send("/tiles/view", { bbox: [4.7, 45.7, 4.9, 45.8], zoom: 12 })) }, 150) };
         document.getElementById("out-more").onclick = async () => tell(await send("/tiles/view", { bbox: [4.2, 45.2, 5.4, 46.2], zoom: 10 }))`,
      ),
      "POST maps.test/geocode/autocomplete": ({ body }) => ({ body: `Place ${(JSON.parse(body) as { q: string }).q}` }),
      "POST maps.test/tiles/view": ({ body }) => ({
        body: body.includes(":12") ? "You see the town" : "You see the country",
      }),
    }),
    steps: [
      go("https://maps.test/"),
      { tool: "type_text", args: { target: 'searchbox "Search places"', text: "Lyon", sequential: true } },
      wait("Place Lyon"),
      click('button "Place Lyon"'),
      wait("You see the town"),
      click('button "Zoom out"'),
    ],
    passes: [/^POST maps\.test\/geocode\/autocomplete .*"Lyon"/, /^POST maps\.test\/tiles\/view .*"zoom":10/],
    ends: "You see the country",
  },
  {
    id: "P-14",
    title: "watches a film whose player counts the time",
    options: { allow: ["films.test"] },
    sites: () => ({
      "films.test/watch": app(
        "Film",
        `<button id="play">Play</button>`,
        `let n = 0; play.onclick = () => { const tick = async () => { tell(await send("/api/stats/watchtime", { video: "v81", state: "playing", count: ++n, at: n * 10 })); if (n < 4) setTimeout(tick, 200) }; void tick() }`,
      ),
      "POST films.test/api/stats/watchtime": ({ body }) => ({
        body: `watched ${(JSON.parse(body) as { at: number }).at} s`,
      }),
    }),
    steps: [go("https://films.test/watch?v=v81"), click('button "Play"')],
    passes: [/^POST films\.test\/api\/stats\/watchtime .*"count":4/],
    ends: "watched 40 s",
  },
  {
    id: "P-15",
    title: "follows a match that is polled",
    options: { allow: ["scores.test"] },
    sites: () => ({
      "scores.test/": app(
        "Match",
        `<button id="tab">Line-up</button><p id="team"></p>`,
        `let since = 0; const poll = async () => { const text = await send("/live/poll", { match: 31, since }); since += 1; tell(text + " " + since); if (since < 6) setTimeout(poll, 250) }; void poll();
         tab.onclick = async () => { team.textContent = await send("/live/lineup", { match: 31 }) }`,
      ),
      "POST scores.test/live/poll": { body: "goals:" },
      "POST scores.test/live/lineup": { body: "Eleven players" },
    }),
    steps: [go("https://scores.test/"), click('button "Line-up"'), wait("Eleven players")],
    passes: [/^POST scores\.test\/live\/poll .*"since":5/, /^POST scores\.test\/live\/lineup /],
    ends: "goals: 6",
  },
  {
    id: "P-16",
    title: "looks for free rooms, day by day, and books one",
    options: { allow: ["inn.test"] },
    sites: () => ({
      "inn.test/": app(
        "Inn",
        `<button id="next">Next month</button><div id="days"></div><button id="book">Book</button>`,
        `let day = ""; next.onclick = async () => { await send("/availability", { month: "2026-12" });
           days.innerHTML = "<button>3 December</button><button>4 December</button>";
           for (const button of days.children) button.onclick = async () => { day = "2026-12-0" + button.textContent[0]; tell(await send("/availability", { from: day, nights: 1, adults: 2 })) } };
         book.onclick = async () => tell(await send("/bookings", { room: 12, from: day, nights: 1 }))`,
      ),
      "POST inn.test/availability": ({ body }) => ({ body: body.includes("12-04") ? "Room 12 is free" : "All taken" }),
      "POST inn.test/bookings": { body: "Your room is booked" },
    }),
    steps: [
      go("https://inn.test/"),
      click('button "Next month"'),
      wait("3 December"),
      click('button "3 December"'),
      wait("All taken"),
      click('button "4 December"'),
      wait("Room 12 is free"),
      click('button "Book"'),
    ],
    changes: [change(/^POST inn\.test\/bookings .*2026-12-04/, /\/bookings"[\s\S]*"2026-12-04"/)],
    passes: [
      /^POST inn\.test\/availability .*"month"/,
      /^POST inn\.test\/availability .*12-03/,
      /^POST inn\.test\/availability .*12-04/,
    ],
    ends: "Your room is booked",
  },
  {
    id: "P-17",
    title: "keeps two things on a list of wishes",
    options: { allow: ["lamps.test"] },
    sites: () => ({
      "lamps.test/": app(
        "Lamps",
        `<button id="one">Keep Aurora</button><button id="two">Keep Borealis</button>`,
        `one.onclick = async () => tell(await send("/wishlist/items", { id: 11 })); two.onclick = async () => tell(await send("/wishlist/items", { id: 12 }))`,
      ),
      "POST lamps.test/wishlist/items": ({ body }) => ({ body: body.includes("12") ? "2 wishes" : "1 wish" }),
    }),
    steps: [go("https://lamps.test/"), click('button "Keep Aurora"'), wait("1 wish"), click('button "Keep Borealis"')],
    passes: [/^POST lamps\.test\/wishlist\/items .*11/, /^POST lamps\.test\/wishlist\/items .*12/],
    ends: "2 wishes",
  },
  {
    id: "P-18",
    title: "compares two bicycles",
    options: { allow: ["bikes.test"] },
    sites: () => {
      let count = 0;
      return {
        "bikes.test/": app(
          "Bikes",
          `<label><input type="checkbox" id="a"> Compare Arrow</label><label><input type="checkbox" id="b"> Compare Bolt</label><a href="/compare">Compare</a>`,
          `a.onchange = async () => tell(await send("/compare/items", { product: 3, on: a.checked })); b.onchange = async () => tell(await send("/compare/items", { product: 4, on: b.checked }))`,
        ),
        "POST bikes.test/compare/items": () => ({ body: `${++count} to compare` }),
        "bikes.test/compare": app("Compare", "<h1>Arrow is lighter than Bolt</h1>"),
      };
    },
    steps: [
      go("https://bikes.test/"),
      click('checkbox "Compare Arrow"'),
      wait("1 to compare"),
      click('checkbox "Compare Bolt"'),
      wait("2 to compare"),
      click('link "Compare"'),
    ],
    passes: [/^POST bikes\.test\/compare\/items .*"product":3/, /^POST bikes\.test\/compare\/items .*"product":4/],
    ends: "Arrow is lighter than Bolt",
  },
  {
    id: "P-19",
    title: "chooses cookies one by one",
    options: { task: "What does weather.test say about tomorrow? Allow no cookies." },
    sites: () => ({
      "weather.test/": app(
        "Weather",
        `<div id="panel"><label><input type="checkbox" id="ads" checked> Advertisements</label><label><input type="checkbox" id="stats" checked> Statistics</label><button id="save">Save my choice</button></div>
         <h1>Snow tomorrow</h1>`,
        `save.onclick = async () => { await send("/cookie-preferences", { necessary: true, ads: ads.checked, stats: stats.checked }); panel.remove(); tell("Saved your choice") }`,
      ),
      "POST weather.test/cookie-preferences": json({}),
    }),
    steps: [
      go("https://weather.test/"),
      click('checkbox "Advertisements"'),
      click('checkbox "Statistics"'),
      click('button "Save my choice"'),
    ],
    passes: [/^POST weather\.test\/cookie-preferences .*"ads":false,"stats":false/],
    ends: "Saved your choice",
  },
  {
    id: "P-20",
    title: "sends a form for feedback",
    options: { task: "Tell trains.test that the board at platform 3 is dark" },
    sites: () => ({
      "trains.test/feedback": app(
        "Feedback",
        `<form method="post" action="/feedback"><label>About <select name="about"><option>Trains</option><option>Stations</option></select></label>
         <label>Message <textarea name="message"></textarea></label><button>Send</button></form>`,
      ),
      "POST trains.test/feedback": seeOther("/feedback/thanks"),
      "trains.test/feedback/thanks": app("Thanks", "<h1>We have got your words</h1>"),
    }),
    steps: [
      go("https://trains.test/feedback"),
      choose('combobox "About"', "Stations"),
      type('textbox "Message"', "The board at platform 3 is dark."),
      click('button "Send"'),
    ],
    changes: [
      change(
        /^POST trains\.test\/feedback about=Stations&message=The/,
        /"about" = "Stations"[\s\S]*"The board at platform 3 is dark\."/,
      ),
    ],
    ends: "We have got your words",
  },
  {
    id: "P-21",
    title: "searches an application that speaks GraphQL, and changes how it is sorted",
    options: { allow: ["plants.test"] },
    sites: () => ({
      "plants.test/": app(
        "Plants",
        `<label>Search <input type="search" id="q"></label><button id="go">Find</button><button id="sort">By height</button>`,
        `const ask = (query, variables) => send("/graphql", { query, variables }); void ask("query Start { season }", {});
         go.onclick = async () => tell(await ask("query Find($text: String!) { plants(text: $text) { name } }", { text: q.value }));
         sort.onclick = async () => tell(await ask("query Find($text: String!, $by: String) { plants(text: $text, by: $by) { name } }", { text: q.value, by: "height" }))`,
      ),
      "POST plants.test/graphql": ({ body }) => ({
        body: body.includes("height") ? "Oak, then fern" : body.includes("fern") ? "Fern and oak fern" : "Winter",
      }),
    }),
    steps: [
      go("https://plants.test/"),
      type('searchbox "Search"', "fern"),
      click('button "Find"'),
      wait("Fern and oak fern"),
      click('button "By height"'),
    ],
    passes: [/^POST plants\.test\/graphql .*"fern"/, /^POST plants\.test\/graphql .*"height"/],
    ends: "Oak, then fern",
  },
];
