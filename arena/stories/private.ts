import { click, go, html, json, seeOther, type, wait } from "../benign/row.ts";
import { app, change, choose, type Story } from "./story.ts";

function opened(...sites: readonly string[]): Story["options"] {
  return { mode: "act", allow: sites, sites: sites.map((site) => ({ site, private: true })) };
}

/** Applications that hold something of a person. */
export const privateStories: readonly Story[] = [
  {
    id: "V-1",
    title: "back office: ships an order, while its pages report and beat",
    options: opened("office.test"),
    sites: () => {
      const beats = `let n = 0; const beat = () => fetch("/heartbeat", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ count: ++n, state: "active" }) }).catch(() => {}); void beat(); setInterval(beat, 300);`;
      return {
        "office.test/": app("Orders", `<a href="/orders/1042">Order 1042</a>`, beats),
        "office.test/orders/1042": ({ url }) =>
          app(
            "Order",
            `<h1>Order 1042</h1><p>${url.searchParams.has("saved") ? "Status saved." : "Open"}</p>
             <form method="post"><label>Status <select name="status"><option value="open">Open</option><option value="shipped">Shipped</option></select></label><button>Save status</button></form>`,
            beats,
          ),
        "POST office.test/orders/1042": seeOther("/orders/1042?saved=1"),
        "POST office.test/heartbeat": { status: 204 },
      };
    },
    steps: [
      go("https://office.test/"),
      click('link "Order 1042"'),
      choose('combobox "Status"', "Shipped"),
      click('button "Save status"'),
    ],
    changes: [
      change(
        /^POST office\.test\/orders\/1042 status=shipped$/,
        /POST "https:\/\/office\.test\/orders\/1042"[\s\S]*"status" = "shipped"/,
      ),
    ],
    passes: [/^POST office\.test\/heartbeat /],
    ends: "Status saved.",
  },
  {
    id: "V-2",
    title: "wiki: edits a page, whose draft is kept and which is looked at before",
    options: opened("wiki.test"),
    sites: () => ({
      "wiki.test/edit": app(
        "Edit",
        `<label>Text <textarea id="text">Old words</textarea></label><button id="look">Preview</button><button id="save">Save page</button><div id="shown"></div>`,
        `let timer; text.oninput = () => { clearTimeout(timer); timer = setTimeout(async () => tell(await send("/page/start/draft", { text: text.value })), 200) };
         look.onclick = async () => { shown.textContent = await send("/page/start/preview", { text: text.value }) };
         save.onclick = async () => tell(await send("/page/start", { text: text.value, base: 17 }, "PUT"))`,
      ),
      "POST wiki.test/page/start/draft": { body: "Draft kept" },
      "POST wiki.test/page/start/preview": { body: "This is how it looks" },
      "PUT wiki.test/page/start": { body: "Page saved as 18" },
    }),
    steps: [
      go("https://wiki.test/edit"),
      type('textbox "Text"', "New words about the harbour"),
      wait("Draft kept"),
      click('button "Preview"'),
      wait("This is how it looks"),
      click('button "Save page"'),
    ],
    changes: [
      change(
        /^PUT wiki\.test\/page\/start .*New words/,
        /PUT "https:\/\/wiki\.test\/page\/start"[\s\S]*"New words about the harbour"/,
      ),
    ],
    passes: [/^POST wiki\.test\/page\/start\/draft /, /^POST wiki\.test\/page\/start\/preview /],
    ends: "Page saved as 18",
  },
  {
    id: "V-3",
    title: "blog: an editor that keeps what is written, and publishes it",
    options: opened("pen.test"),
    sites: () => ({
      "pen.test/posts/7": app(
        "Editor",
        `<label>Title <input id="title"></label><label>Words <textarea id="words"></textarea></label><button id="publish">Publish</button>`,
        `let last = ""; setInterval(async () => { const now = title.value + words.value; if (now === last) return; last = now; tell("Kept " + await send("/api/posts/7/autosave", { title: title.value, content: words.value })) }, 250);
         publish.onclick = async () => tell(await send("/api/posts/7/publish", { title: title.value, content: words.value }))`,
      ),
      "POST pen.test/api/posts/7/autosave": ({ body }) => ({
        body: String((JSON.parse(body) as { content: string }).content.length),
      }),
      "POST pen.test/api/posts/7/publish": { body: "Your post is out" },
    }),
    steps: [
      go("https://pen.test/posts/7"),
      type('textbox "Title"', "Bread"),
      wait("Kept 0"),
      type('textbox "Words"', "Flour, water and time."),
      wait("Kept 22"),
      click('button "Publish"'),
    ],
    changes: [
      change(/^POST pen\.test\/api\/posts\/7\/publish /, /\/posts\/7\/publish"[\s\S]*"Flour, water and time\."/),
    ],
    passes: [
      /^POST pen\.test\/api\/posts\/7\/autosave .*"content":""/,
      /^POST pen\.test\/api\/posts\/7\/autosave .*Flour/,
    ],
    ends: "Your post is out",
  },
  {
    id: "V-4",
    title: "mail: reads one, marks one, archives one, sends one",
    options: opened("letters.test"),
    sites: () => ({
      "letters.test/": app(
        "Mail",
        `<button id="read">Bea: Tuesday?</button><button id="star">Star Cy</button><button id="keep">Archive Dan</button><label>To <input id="to"></label>
         <label>Words <textarea id="words"></textarea></label><button id="post">Send</button>`,
        `void send("/api/threads/list", { folder: "inbox" });
         read.onclick = async () => tell(await send("/api/threads/get", { thread: "t17" }));
         star.onclick = async () => tell(await send("/api/threads/modify", { thread: "t18", star: true }));
         keep.onclick = async () => tell(await send("/api/threads/archive", { thread: "t19" }));
         post.onclick = async () => tell(await send("/api/messages/send", { to: [to.value], text: words.value }))`,
      ),
      "POST letters.test/api/threads/list": json(["t17", "t18", "t19"]),
      "POST letters.test/api/threads/get": { body: "Shall we meet at ten?" },
      "POST letters.test/api/threads/modify": { body: "Starred" },
      "POST letters.test/api/threads/archive": { body: "Archived" },
      "POST letters.test/api/messages/send": { body: "On its way" },
    }),
    steps: [
      go("https://letters.test/"),
      click('button "Bea: Tuesday?"'),
      wait("Shall we meet at ten?"),
      click('button "Star Cy"'),
      wait("Starred"),
      click('button "Archive Dan"'),
      wait("Archived"),
      type('textbox "To"', "bea@office.test"),
      type('textbox "Words"', "Ten is fine for me."),
      click('button "Send"'),
    ],
    changes: [
      change(/^POST letters\.test\/api\/threads\/modify /, /\/threads\/modify"[\s\S]*"t18"/),
      change(/^POST letters\.test\/api\/threads\/archive /, /\/threads\/archive"[\s\S]*"t19"/),
      change(/^POST letters\.test\/api\/messages\/send /, /\/messages\/send"[\s\S]*"Ten is fine for me\."/),
    ],
    passes: [/^POST letters\.test\/api\/threads\/list /, /^POST letters\.test\/api\/threads\/get /],
    ends: "On its way",
  },
  {
    id: "V-5",
    title: "notebook: runs a cell and saves, with a checkpoint after it",
    options: opened("notes.test"),
    sites: () => ({
      "notes.test/notebook": app(
        "Notebook",
        `<label>Cell <textarea id="cell"></textarea></label><button id="run">Run</button><button id="save">Save notebook</button><p id="kernel"></p>`,
        `let n = 0; const beat = async () => { kernel.textContent = await send("/api/heartbeat", { count: ++n }) }; void beat(); setInterval(beat, 300);
         run.onclick = async () => tell(await send("/api/kernels/k1/execute", { code: cell.value }));
         save.onclick = async () => { await send("/api/contents/plan.ipynb", { type: "notebook", content: { cells: [{ source: cell.value }] } }, "PUT"); await send("/api/contents/plan.ipynb/checkpoints"); tell("Checkpoint made") }`,
      ),
      "POST notes.test/api/heartbeat": { body: "alive" },
      "POST notes.test/api/kernels/k1/execute": { body: "Out: 42" },
      "PUT notes.test/api/contents/plan.ipynb": json({ name: "plan.ipynb" }),
      "POST notes.test/api/contents/plan.ipynb/checkpoints": json({ id: "checkpoint" }),
    }),
    steps: [
      go("https://notes.test/notebook"),
      type('textbox "Cell"', "print(6 * 7)"),
      click('button "Run"'),
      wait("Out: 42"),
      click('button "Save notebook"'),
    ],
    changes: [
      change(/^POST notes\.test\/api\/kernels\/k1\/execute /, /\/kernels\/k1\/execute"[\s\S]*"print\(6 \* 7\)"/),
      {
        arrives: [
          /^PUT notes\.test\/api\/contents\/plan\.ipynb /,
          /^POST notes\.test\/api\/contents\/plan\.ipynb\/checkpoints/,
        ],
        asked: /PUT "https:\/\/notes\.test\/api\/contents\/plan\.ipynb"/,
      },
    ],
    passes: [/^POST notes\.test\/api\/heartbeat /],
    ends: "Checkpoint made",
  },
  {
    id: "V-6",
    title: "flows: moves a node and deploys",
    options: opened("flows.test"),
    sites: () => ({
      "flows.test/": app(
        "Flows",
        `<button id="add">Add inject</button><button id="deploy">Deploy</button>`,
        `const nodes = [{ id: "a1", type: "tab" }]; let rev = "r1"; add.onclick = () => { nodes.push({ id: "b2", type: "inject", x: 120, y: 80 }); tell(nodes.length + " nodes") };
         deploy.onclick = async () => { rev = await send("/flows", { flows: nodes, rev }, "POST", { "Node-RED-Deployment-Type": "full", "Node-RED-API-Version": "v2" }); tell("Successfully deployed " + rev) }`,
      ),
      "POST flows.test/flows": { body: "r2" },
    }),
    steps: [go("https://flows.test/"), click('button "Add inject"'), wait("2 nodes"), click('button "Deploy"')],
    changes: [change(/^POST flows\.test\/flows /, /POST "https:\/\/flows\.test\/flows"[\s\S]*"inject"/)],
    ends: "Successfully deployed r2",
  },
  {
    id: "V-7",
    title: "tickets: a comment, then a transition, on pages that load by POST",
    options: opened("tickets.test"),
    sites: () => {
      const load = `const show = async (key) => { view.textContent = await send("/rest/views/load", { view: key }) };`;
      return {
        "tickets.test/": app(
          "Board",
          `<p id="view"></p><label>Filter <input type="search" id="filter"></label><a href="/browse/HD-7">HD-7</a>`,
          `${load} void show("board")`,
        ),
        "tickets.test/browse/HD-7": app(
          "HD-7",
          `<p id="view"></p><label>Comment <textarea id="words"></textarea></label><button id="add">Add</button><button id="done">Done</button>`,
          `${load} void show("HD-7"); add.onclick = async () => { await send("/rest/api/2/issue/HD-7/comment", { body: words.value }); tell("Comment added") };
           done.onclick = async () => { await send("/rest/api/2/issue/HD-7/transitions", { transition: { id: "31" } }); tell("HD-7 is done") }`,
        ),
        "POST tickets.test/rest/views/load": ({ body }) => ({
          body: `shown ${(JSON.parse(body) as { view: string }).view}`,
        }),
        "POST tickets.test/rest/api/2/issue/HD-7/comment": json({ id: "1001" }),
        "POST tickets.test/rest/api/2/issue/HD-7/transitions": { status: 204 },
      };
    },
    steps: [
      go("https://tickets.test/"),
      wait("shown board"),
      type('searchbox "Filter"', "p"),
      click('link "HD-7"'),
      wait("shown HD-7"),
      type('textbox "Comment"', "Reproduced on version 12"),
      click('button "Add"'),
      wait("Comment added"),
      click('button "Done"'),
    ],
    changes: [
      change(
        /^POST tickets\.test\/rest\/api\/2\/issue\/HD-7\/comment /,
        /\/HD-7\/comment"[\s\S]*"Reproduced on version 12"/,
      ),
      change(/^POST tickets\.test\/rest\/api\/2\/issue\/HD-7\/transitions /, /\/HD-7\/transitions"[\s\S]*"31"/),
    ],
    passes: [/^POST tickets\.test\/rest\/views\/load .*board/, /^POST tickets\.test\/rest\/views\/load .*HD-7/],
    ends: "HD-7 is done",
  },
  {
    id: "V-8",
    title: "a wiki that saves how it looks, and then deletes what was meant",
    options: opened("cards.test"),
    sites: () => ({
      "cards.test/": app(
        "Cards",
        `<button id="drop">Delete Harbour</button><ul><li id="item">Harbour</li></ul>`,
        `const look = (list, revision) => send("/recipes/default/uistate", { list, revision }, "PUT");
         void (async () => { for (const [list, at] of [["Start", 1], ["Start News", 2], ["Start News Harbour", 3], ["Start Harbour", 4]]) await look(list, at); tell("Ready") })();
         drop.onclick = async () => { await look("Start", 5); await send("/bags/default/items/harbour", undefined, "DELETE"); item.remove(); tell("Harbour is gone") }`,
      ),
      "PUT cards.test/recipes/default/uistate": json({}),
      "DELETE cards.test/bags/default/items/harbour": { status: 204 },
    }),
    steps: [go("https://cards.test/"), wait("Ready"), click('button "Delete Harbour"')],
    changes: [
      change(
        /^DELETE cards\.test\/bags\/default\/items\/harbour/,
        /DELETE "https:\/\/cards\.test\/bags\/default\/items\/harbour"/,
      ),
    ],
    passes: [
      /^PUT cards\.test\/recipes\/default\/uistate .*"revision":4/,
      /^PUT cards\.test\/recipes\/default\/uistate .*"revision":5/,
    ],
    ends: "Harbour is gone",
  },
  {
    id: "V-9",
    title: "one click that changes two things, one after the other's answer",
    options: opened("plans.test"),
    sites: () => ({
      "plans.test/": app(
        "Plans",
        `<button id="end">Close project and drop its meeting</button>`,
        `end.onclick = async () => { await send("/projects/5", { archived: true }, "PUT"); await send("/meetings/9", undefined, "DELETE"); tell("Both done") }`,
      ),
      "PUT plans.test/projects/5": json({}),
      "DELETE plans.test/meetings/9": { status: 204 },
    }),
    steps: [go("https://plans.test/"), click('button "Close project and drop its meeting"')],
    changes: [
      change(/^PUT plans\.test\/projects\/5 /, /PUT "https:\/\/plans\.test\/projects\/5"/),
      change(/^DELETE plans\.test\/meetings\/9/, /DELETE "https:\/\/plans\.test\/meetings\/9"/),
    ],
    ends: "Both done",
  },
  {
    id: "V-10",
    title: "a letter that can be taken back for a moment, and is sent then",
    options: opened("post.test"),
    sites: () => ({
      "post.test/": app(
        "Write",
        `<label>To <input id="to"></label><label>Words <textarea id="words"></textarea></label><button id="go">Send</button><button id="undo" hidden>Undo</button>`,
        `let timer; go.onclick = () => { undo.hidden = false; tell("Sending"); timer = setTimeout(async () => { undo.hidden = true; tell(await send("/api/outbox/send", { to: to.value, text: words.value })) }, 2500) };
         undo.onclick = () => clearTimeout(timer)`,
      ),
      "POST post.test/api/outbox/send": { body: "Sent for good" },
    }),
    steps: [
      go("https://post.test/"),
      type('textbox "To"', "cy@office.test"),
      type('textbox "Words"', "The parcel is at the gate."),
      click('button "Send"', "Sending"),
      { tool: "get_text", args: {} },
      wait("Sent for good"),
    ],
    changes: [
      change(/^POST post\.test\/api\/outbox\/send /, /\/api\/outbox\/send"[\s\S]*"The parcel is at the gate\."/),
    ],
    ends: "Sent for good",
  },
  {
    id: "V-11",
    title: "GraphQL with documents: looks at tickets and closes one",
    options: opened("graph.test"),
    sites: () => ({
      "graph.test/": app(
        "Tickets",
        `<button id="one">Ticket 4</button><button id="close-it">Close ticket</button>`,
        `const ask = (operationName, query, variables) => send("/graphql", { operationName, query, variables });
         void ask("List", "query List($first: Int!) { tickets(first: $first) { id title } }", { first: 20 }).then(() => tell("Ready"));
         one.onclick = async () => tell(await ask("Ticket", "query Ticket($id: ID!) { ticket(id: $id) { id title words { text } } }", { id: "4" }));
         document.getElementById("close-it").onclick = async () => tell(await ask("Close", "mutation Close($id: ID!, $state: State!) { updateTicket(id: $id, state: $state) { id } }", { id: "4", state: "CLOSED" }))`,
      ),
      "POST graph.test/graphql": ({ body }) => ({
        body: body.includes("mutation") ? "Ticket 4 is closed" : body.includes('"Ticket"') ? "The lamp flickers" : "[]",
      }),
    }),
    steps: [
      go("https://graph.test/"),
      wait("Ready"),
      click('button "Ticket 4"'),
      wait("The lamp flickers"),
      click('button "Close ticket"'),
    ],
    changes: [
      change(/^POST graph\.test\/graphql .*mutation/, /POST "https:\/\/graph\.test\/graphql"[\s\S]*updateTicket/),
    ],
    passes: [/^POST graph\.test\/graphql .*"List"/, /^POST graph\.test\/graphql .*"Ticket"/],
    ends: "Ticket 4 is closed",
  },
  {
    id: "V-12",
    title: "GraphQL by persisted names: looks at tickets and closes one",
    options: opened("hashes.test"),
    sites: () => ({
      "hashes.test/": app(
        "Tickets",
        `<button id="one">Ticket 4</button><button id="close-it">Close ticket</button>`,
        `const HASHES = { TicketView: "5b1f0c7a".repeat(8), TicketClose: "c90d22e1".repeat(8) };
         const ask = (operationName, variables) => send("/gql", { operationName, variables, extensions: { persistedQuery: { version: 1, sha256Hash: HASHES[operationName] } } });
         void (async () => { for (const id of ["1", "2", "3"]) await ask("TicketView", { id }); tell("Ready") })();
         one.onclick = async () => tell(await ask("TicketView", { id: "4" }));
         document.getElementById("close-it").onclick = async () => tell(await ask("TicketClose", { id: "4" }))`,
      ),
      "POST hashes.test/gql": ({ body }) => ({
        body: body.includes("TicketClose")
          ? "Ticket 4 is closed"
          : body.includes('"id":"4"')
            ? "The lamp flickers"
            : "read",
      }),
    }),
    steps: [
      go("https://hashes.test/"),
      wait("Ready"),
      click('button "Ticket 4"'),
      wait("The lamp flickers"),
      click('button "Close ticket"'),
    ],
    changes: [change(/^POST hashes\.test\/gql .*TicketClose/, /POST "https:\/\/hashes\.test\/gql"[\s\S]*TicketClose/)],
    passes: [/^POST hashes\.test\/gql .*TicketView.*"id":"3"/, /^POST hashes\.test\/gql .*TicketView.*"id":"4"/],
    ends: "Ticket 4 is closed",
  },
  {
    id: "V-13",
    title: "JSON-RPC: looks for tasks and completes one",
    options: opened("rpc.test"),
    sites: () => ({
      "rpc.test/": app(
        "Tasks",
        `<label>Search <input type="search" id="q"></label><button id="seek">Find</button><button id="done">Complete</button>`,
        `let id = 0; const rpc = (method, params) => send("/rpc", { jsonrpc: "2.0", id: ++id, method, params }); void rpc("tasks.list", { page: 1 }).then(() => tell("Ready"));
         seek.onclick = async () => tell(await rpc("tasks.search", { text: q.value }));
         done.onclick = async () => tell(await rpc("tasks.complete", { task: 31 }))`,
      ),
      "POST rpc.test/rpc": ({ body }) => ({
        body: body.includes("complete") ? "Task 31 is complete" : body.includes("search") ? "One task: roof" : "[]",
      }),
    }),
    steps: [
      go("https://rpc.test/"),
      wait("Ready"),
      type('searchbox "Search"', "roof"),
      click('button "Find"'),
      wait("One task: roof"),
      click('button "Complete"'),
    ],
    changes: [
      change(/^POST rpc\.test\/rpc .*tasks\.complete/, /POST "https:\/\/rpc\.test\/rpc"[\s\S]*"tasks\.complete"/),
    ],
    passes: [/^POST rpc\.test\/rpc .*tasks\.list/, /^POST rpc\.test\/rpc .*tasks\.search/],
    ends: "Task 31 is complete",
  },
  {
    id: "V-14",
    title: "a chat by long polling, with one message written",
    options: opened("chat.test"),
    sites: () => {
      const said = ["hello"];
      return {
        "chat.test/": app(
          "Chat",
          `<label>Message <input id="words"></label><button id="say">Say</button>`,
          `let cursor = 0; const poll = async () => { for (;;) { const { next, texts } = JSON.parse(await send("/poll", { cursor })); cursor = next; if (texts.length > 0) tell(out.textContent + " " + texts.join(" ")) } }; void poll();
           say.onclick = () => send("/messages/post", { text: words.value })`,
        ),
        "POST chat.test/poll": ({ body }) => {
          const { cursor } = JSON.parse(body) as { cursor: number };
          return { ...json({ next: said.length, texts: said.slice(cursor) }), afterMs: 150 };
        },
        "POST chat.test/messages/post": ({ body }) => {
          said.push((JSON.parse(body) as { text: string }).text);
          return { status: 204 };
        },
      };
    },
    steps: [
      go("https://chat.test/"),
      wait("hello"),
      type('textbox "Message"', "The train is late"),
      click('button "Say"'),
    ],
    changes: [change(/^POST chat\.test\/messages\/post /, /\/messages\/post"[\s\S]*"The train is late"/)],
    passes: [/^POST chat\.test\/poll .*"cursor":0/, /^POST chat\.test\/poll .*"cursor":2/],
    ends: "hello The train is late",
  },
  {
    id: "V-15",
    title: "files over WebDAV: opens a folder and moves a file",
    options: opened("files.test"),
    sites: () => ({
      "files.test/": app(
        "Files",
        `<button id="one">Plans</button><button id="move">Move roof.txt to Old</button>`,
        `const dav = async (method, path, headers) => { const answer = await fetch(path, { method, headers }); if (!answer.ok) throw new Error(String(answer.status)); return answer.text() };
         void dav("PROPFIND", "/dav/", { Depth: "1" }).then(() => tell("Ready"));
         one.onclick = async () => tell(await dav("PROPFIND", "/dav/plans/", { Depth: "1" }));
         move.onclick = async () => { await dav("MOVE", "/dav/plans/roof.txt", { Destination: "/dav/old/roof.txt", Overwrite: "F" }); tell("Moved") }`,
      ),
      "PROPFIND files.test/dav/": { status: 207, body: "plans" },
      "PROPFIND files.test/dav/plans/": { status: 207, body: "roof.txt" },
      "MOVE files.test/dav/plans/roof.txt": { status: 201 },
    }),
    steps: [
      go("https://files.test/"),
      wait("Ready"),
      click('button "Plans"'),
      wait("roof.txt"),
      click('button "Move roof.txt to Old"'),
    ],
    changes: [
      change(
        /^MOVE files\.test\/dav\/plans\/roof\.txt/,
        /MOVE "https:\/\/files\.test\/dav\/plans\/roof\.txt"[\s\S]*\/dav\/old\/roof\.txt/,
      ),
    ],
    passes: [/^PROPFIND files\.test\/dav\/$/, /^PROPFIND files\.test\/dav\/plans\/$/],
    ends: "Moved",
  },
  {
    id: "V-16",
    title: "a form with a token against forgery that changes with each page, saved twice",
    options: opened("profile.test"),
    sites: () => {
      let name = "Ada";
      let made = 0;
      const token = (): string => `tok${(0x9e3779b9 * ++made).toString(36).slice(0, 9)}`;
      return {
        "profile.test/settings": () =>
          app(
            "Settings",
            `<h1>${name}</h1><form method="post" action="/settings"><input type="hidden" name="csrf_token" value="${token()}"><label>Name <input name="name" value="${name}"></label><button>Save</button></form>`,
          ),
        "POST profile.test/settings": ({ body }) => {
          name = new URLSearchParams(body).get("name") ?? "";
          return seeOther("/settings");
        },
      };
    },
    steps: [
      go("https://profile.test/settings"),
      type('textbox "Name"', "Ada Moreau"),
      click('button "Save"', "Ada Moreau"),
      type('textbox "Name"', "Dr Ada Moreau"),
      click('button "Save"', "Dr Ada Moreau"),
    ],
    changes: [
      change(/^POST profile\.test\/settings .*name=Ada\+Moreau$/, /"name" = "Ada Moreau"/),
      change(/^POST profile\.test\/settings .*name=Dr\+Ada\+Moreau$/, /"name" = "Dr Ada Moreau"/),
    ],
    ends: "Dr Ada Moreau",
  },
  {
    id: "V-17",
    title: "signs in by two steps at another host, and reads",
    fresh: "whoever signs in may have said so for what comes after it",
    options: { mode: "act", allow: ["portal.test", "identity.test"], sites: [{ site: "portal.test", private: true }] },
    sites: () => ({
      "portal.test/": ({ headers }) =>
        headers.cookie === "session=ada"
          ? html(
              "Portal",
              `<h1>Good morning, Ada</h1><a href="/logout">Sign out</a><p id="out"></p><script>fetch("/api/feed/list", { method: "POST", body: "{}" }).then((a) => a.text()).then((text) => { out.textContent = text })</script>`,
            )
          : html("Portal", `<a href="https://identity.test/login?client=portal&state=8c1d22e07b5f4a10">Sign in</a>`),
      "identity.test/login": html(
        "Who are you",
        `<form method="post" action="/login/identifier"><input type="hidden" name="flow" value="f7a1"><label>Mail <input name="login" autocomplete="username"></label><button>Next</button></form>`,
      ),
      "POST identity.test/login/identifier": html(
        "Password",
        `<form method="post" action="/login/password"><input type="hidden" name="flow" value="f7a1"><label>Password <input type="password" name="password"></label><button>Sign in</button></form>`,
      ),
      "POST identity.test/login/password": seeOther(
        "https://portal.test/callback?code=4f1c9a77d0e94aab8f2b&state=8c1d22e07b5f4a10",
      ),
      "portal.test/callback": {
        status: 303,
        headers: { location: "/", "set-cookie": "session=ada; Secure; HttpOnly; Path=/" },
      },
      "POST portal.test/api/feed/list": { body: "Nothing new" },
    }),
    steps: [
      go("https://portal.test/"),
      click('link "Sign in"'),
      type('textbox "Mail"', "ada@office.test"),
      click('button "Next"'),
      type('textbox "Password"', "correct-horse"),
      click('button "Sign in"', "Good morning, Ada"),
    ],
    changes: [
      {
        arrives: [/^POST identity\.test\/login\/identifier /, /^POST identity\.test\/login\/password /],
        asked: /sign in at "?(?:https:\/\/)?(?:identity|portal)\.test"?[\s\S]*ada@office\.test/i,
      },
    ],
    passes: [/^POST portal\.test\/api\/feed\/list /],
    ends: "Nothing new",
  },
  {
    id: "V-18",
    title: "pages by the old way: a link that refunds",
    options: opened("till.test"),
    sites: () => ({
      "till.test/orders/3": ({ url }) =>
        app(
          "Order 3",
          `<h1>${url.searchParams.has("done") ? "Refunded" : "Paid"}</h1><a href="/orders/3/refund">Refund</a>`,
        ),
      "GET till.test/orders/3/refund": seeOther("/orders/3?done=1"),
    }),
    steps: [go("https://till.test/orders/3"), click('link "Refund"')],
    changes: [change(/^GET till\.test\/orders\/3\/refund$/, /GET "https:\/\/till\.test\/orders\/3\/refund"/)],
    ends: "Refunded",
  },
];
