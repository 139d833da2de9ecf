import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { oneOf } from "../runs.ts";
import { recordingServer } from "../servers.ts";
import {
  buttonSite,
  type Connected,
  connect,
  connectHttp,
  type Elicited,
  elapsed,
  GENERATIONS,
  LIMIT_MS,
  type Sitter,
  serve,
  stateDirectory,
} from "./support.ts";

/** Longer than any program pretends to think. */
const THINKS_MS = 400;
const QUICK_TRIES = 5;
const TOKEN = "the-token-of-the-test";

const LATE = `<!doctype html><title>Late</title><button onclick="setTimeout(save, 2000)">Save later</button><p id="said">Nothing yet</p><script>
async function save() {
  void fetch("/begins");
  try { await fetch("/saved", { method: "POST", body: new URLSearchParams({ status: "closed" }) }); said.textContent = "It is saved"; } catch { said.textContent = "It is lost"; }
}
</script>`;

let site: Awaited<ReturnType<typeof buttonSite>>;
beforeAll(async () => {
  site = await buttonSite();
});
afterAll(() => site.close());

const DOORS = GENERATIONS.flatMap((generation) => ["stdio", "HTTP"].map((transport) => ({ generation, transport })));

// On each change each revision and each transport once.
describe.each(oneOf(3, DOORS))(
  "a stock client of revision $generation over $transport",
  ({ generation, transport }) => {
    async function joined(sitter: Sitter, at = site.url): Promise<Connected> {
      const state = stateDirectory();
      onTestFinished(() => state.remove());
      const args = ["--private", at, "--approve", "elicitation"];
      if (transport === "stdio") return connect(generation, args, { state: state.path, sitter });
      const { url, end } = await serve(args, [TOKEN], state.path);
      onTestFinished(() => end());
      return connectHttp(generation, url, TOKEN, sitter);
    }

    test("what a click sends after its call is over is asked about with the next call", {
      timeout: LIMIT_MS,
    }, async () => {
      await using late = await recordingServer();
      late.html("/", LATE);
      let asked = 0;
      const client = await joined(async () => {
        asked += 1;
        await elapsed(THINKS_MS);
        return { action: "accept", content: { answer: "once" } };
      }, late.url);
      await client.call("navigate", { url: late.url });
      expect((await client.call("click", { target: 'button "Save later"' })).isError).toBe(false);
      await late.waitForHit("/begins");
      // The page sends it right behind; no call of the client's runs.
      while (asked === 0) await client.call("snapshot");
      await late.waitForHit("/saved");
      expect(asked).toBe(1);
      expect((await client.call("wait_for", { text: "It is saved" })).isError).toBe(false);
    });

    test("the person in front of it decides, click by click", { timeout: LIMIT_MS }, async () => {
      site.clear();
      const asked: string[] = [];
      let thinksMs = THINKS_MS;
      let says: Elicited = { action: "accept", content: { answer: "no" } };
      const client = await joined(async (message) => {
        asked.push(message);
        const before = site.posts();
        await elapsed(thinksMs);
        // Nothing happens while somebody thinks.
        expect(site.posts()).toBe(before);
        return says;
      });
      await client.call("navigate", { url: site.url });
      const click = () => client.call("click", { target: 'button "Close it"' });
      const clicksInPage = async () =>
        /Clicked (\d+) times/.exec((await client.call("snapshot", { detail: "full" })).text)?.[1];

      expect((await click()).isError).toBe(true);
      expect([asked.length, site.posts(), await clicksInPage()]).toEqual([1, 0, "1"]);
      const [question = ""] = asked;
      expect(question).toContain(`request: POST "${site.url}/change"`);
      expect(question).toContain('field, from the page: "status" = "closed"');

      says = { action: "decline" };
      expect((await click()).isError).toBe(true);
      expect([asked.length, site.posts(), await clicksInPage()]).toEqual([2, 0, "2"]);

      // The control, and the counter that counts once.
      says = { action: "accept", content: { answer: "once" } };
      expect((await click()).text).toContain("Answered 200");
      expect([asked.length, site.posts(), await clicksInPage()]).toEqual([3, 1, "3"]);
      expect(site.hitsTo("/change")[0]?.body).toBe("status=closed");

      // The same click is another question, and an answer that says nothing decides nothing.
      says = { action: "cancel" };
      expect((await click()).isError).toBe(true);
      expect([asked.length, site.posts(), await clicksInPage()]).toEqual([4, 1, "4"]);

      // A client that answers by itself is nobody. On a busy machine it may be as slow as a person; not every
      // time.
      thinksMs = 0;
      says = { action: "accept", content: { answer: "once" } };
      let isQuick = false;
      for (let tries = 0; tries < QUICK_TRIES && !isQuick; tries++) {
        const before = site.posts();
        const { isError } = await click();
        isQuick = site.posts() === before;
        expect(isError).toBe(isQuick);
      }
      expect(isQuick).toBe(true);
      await client.close();
    });
  },
);
