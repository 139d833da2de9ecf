import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { oneOf } from "../runs.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { type Connected, connect, GENERATIONS, LIMIT_MS, stateDirectory } from "./support.ts";

// a session that reads has no tool that acts, and nothing that changes something leaves it.

const ACTING = ["type_text", "fill_form", "select_option"] as const;
const ARGUMENTS: Readonly<Record<string, Record<string, unknown>>> = {
  type_text: { target: 'textbox "Words"', text: "green", submit: true },
  fill_form: { fields: [{ target: 'textbox "Words"', text: "green" }], submit: 'button "Save"' },
  select_option: { target: 'combobox "Colour"', values: ["Green"] },
};

const PAGE = `<!doctype html><title>Reads</title><h1>Reads</h1>
<form method="post" action="/form"><label>Words <input name="words" value="old"></label>
<label>Colour <select name="colour" onchange="send('/chosen', 'x')"><option>Red</option><option>Green</option></select></label><button>Save</button></form>
<button onclick="send('/script', new URLSearchParams({ a: 1 }))">Post</button>
<button onclick="send('/graphql', JSON.stringify({ query: '{ items { id } }' }), 'application/json')">Query</button>
<button onclick="send('/graphql', JSON.stringify({ query: 'mutation { drop }' }), 'application/json')">Mutate</button>
<button onclick="send('/search', JSON.stringify({ q: 'kettle' }), 'application/json')">Search</button>
<button onclick="send('/own', null, undefined, 'DELETE')">Remove</button>
<button onclick="say(confirm('Sure?') ? 'Was sure' : 'Was not sure')">Confirm</button>
<button onclick="document.getElementById('more').hidden = false">More</button><p id="more" hidden>There is more</p>
<a href="/next">Next</a> <a href="/logout">Log out</a>
<p id="said">Nothing yet</p>
<script>
const say = (words) => { document.getElementById("said").textContent = words; };
async function send(path, body, type, method = "POST") {
  try {
    const response = await fetch(path, { method, body, headers: type === undefined ? {} : { "content-type": type } });
    say(path + " answered " + response.status);
  } catch { say(path + " not sent"); }
}
addEventListener("load", () => send("/started", "x"));
</script>`;

let site: RecordingServer;
let state: ReturnType<typeof stateDirectory>;
beforeAll(async () => {
  site = await recordingServer((_request, response, hit) => {
    if (hit.method !== "GET") return void response.end("done");
    response
      .writeHead(200, { "content-type": "text/html" })
      .end(hit.path === "/next" ? "<title>Next</title><h1>Next</h1>" : PAGE);
  });
  state = stateDirectory();
});
afterAll(async () => {
  await site.close();
  state.remove();
});
beforeEach(() => site.clear());

const unsafe = (): readonly string[] =>
  site.hits.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
const click = (client: Connected, name: string, role = "button") =>
  client.call("click", { target: `${role} "${name}"` });

test.each(oneOf(2, GENERATIONS))(
  "through a client of revision %s (A-142)",
  { timeout: LIMIT_MS },
  async (generation) => {
    const client = await connect(
      generation,
      ["--mode", "read", "--private", site.url, "--read-like", `${site.url}/search`],
      { state: state.path },
    );
    expect(client.instructions).toContain("This session only reads");
    const tools = await client.tools();
    expect(tools.filter((tool) => ACTING.some((acting) => acting === tool))).toEqual([]);
    expect(tools).toEqual(expect.arrayContaining(["navigate", "snapshot", "click", "find"]));
    await client.call("navigate", { url: site.url });

    // By name, as from a list of yesterday, and in a batch.
    for (const tool of ACTING) {
      expect((await client.call(tool, ARGUMENTS[tool])).structured).toMatchObject({
        ok: false,
        error: { code: "unknown_tool" },
      });
      expect((await client.call("batch", { calls: [{ tool, arguments: ARGUMENTS[tool] }] })).isError).toBe(true);
    }
    expect((await client.call("press_key", { key: "Enter", target: 'textbox "Words"' })).structured).toMatchObject({
      error: { code: "bad_arguments" },
    });
    expect((await client.call("handle_next_dialog", { accept: true })).structured).toMatchObject({
      error: { code: "bad_arguments" },
    });
    await client.call("batch", {
      calls: [{ tool: "press_key", arguments: { key: "Enter", target: 'textbox "Words"' } }],
    });
    expect(unsafe()).toEqual([]);

    // The page's own posts, by click, by form, by itself.
    for (const name of ["Post", "Mutate", "Remove", "Save"]) await click(client, name);
    await click(client, "Log out", "link");
    expect(unsafe()).toEqual([]);
    expect(site.hitsTo("/logout")).toEqual([]);
    await click(client, "Confirm");
    expect((await client.call("snapshot", { detail: "full" })).text).toContain("Was not sure");

    // The controls: what only reads, and the page, work.
    await click(client, "Query");
    await client.call("wait_for", { text: "/graphql answered 200" });
    await click(client, "Search");
    await client.call("wait_for", { text: "/search answered 200" });
    expect(unsafe()).toEqual(["POST /graphql", "POST /search"]);
    expect((await click(client, "More")).text).toContain("There is more");
    expect((await click(client, "Next", "link")).structured).toMatchObject({ ok: true, page: { title: "Next" } });
    await client.close();
  },
);

test("starts by itself where something private is in reach and nobody can be asked, and says so", {
  timeout: LIMIT_MS,
}, async () => {
  const reads = await connect("2026-07-28", ["--private", site.url, "--approve", "none"], { state: state.path });
  expect(reads.instructions).toContain("This session only reads");
  expect(await reads.tools()).not.toContain("type_text");
  await expect.poll(() => reads.stderr()).toMatch(/nobody can be asked, so this session only reads: set --mode act/);
  await reads.call("navigate", { url: site.url });
  expect((await click(reads, "Post")).text).toContain("effects.readMode");
  expect(unsafe()).toEqual([]);
  await reads.close();
  // The controls: nothing private, or a mode that the operator set. No browser starts.
  for (const args of [
    ["--approve", "none", "--allow", "shop.test"],
    ["--private", site.url, "--approve", "none", "--mode", "act"],
    ["--private", site.url],
  ]) {
    const acts = await connect("2026-07-28", [...args, "--ledger", join(state.path, `${args.length}.jsonl`)], {
      state: state.path,
    });
    expect([args, acts.instructions.includes("only reads")]).toEqual([args, false]);
    expect(await acts.tools()).toContain("type_text");
    expect(acts.stderr()).not.toContain("only reads");
    await acts.close();
  }
});
