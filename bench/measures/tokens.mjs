/** What a model reads: tokens (o200k) of views, changes, click results and tool schemas, as an MCP client gets them. */

import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { connectOurs, connectPeer } from "../harness/contestants.mjs";
import { tokenWords } from "../harness/report.mjs";

const MAX = { unchanged: 40, oneCell: 150, click: 150, table200: 2_000, schemas: 3_000 };
const MORE_LOOKS = 5;
const ACCOUNT = { user: "ada", password: "correct-horse" };

/** @param {string} text */
const tokensOf = (text) => encode(text).length;

/**
 * Clients show the model the text or the structure: the dearer one counts.
 * @param {import("../harness/contestants.mjs").Answer} answer
 */
const tokensIn = ({ text, structured }) => Math.max(tokensOf(text), tokensOf(structured));

/** @param {import("../run.mjs").Bench} bench */
export async function measureTokens(bench) {
  const { browser, site, sites, folder } = bench;
  const office = sites.backOffice.url;
  const ours = await connectOurs({ browser, origins: [site.url, sites.shop.url, office], folder });
  const peer = await connectPeer({ browser, folder });
  /** @type {import("../harness/report.mjs").Row[]} */
  const rows = [];
  const add = (
    /** @type {string} */ what,
    /** @type {number} */ mine,
    /** @type {number | null} */ theirs,
    /** @type {number | undefined} */ max = undefined,
  ) =>
    rows.push({
      what,
      ours: tokenWords(mine),
      ...(theirs !== null && { peer: tokenWords(theirs), ratio: (theirs / mine).toFixed(1) }),
      ...(max !== undefined && { target: `at most ${tokenWords(max)}`, met: mine <= max }),
    });
  const firstView = async (
    /** @type {string} */ what,
    /** @type {string} */ url,
    /** @type {string} */ words,
    /** @type {number | undefined} */ max = undefined,
  ) => {
    let mine = await ours.call("navigate", { url });
    // On a busy machine the page's own script may come after the first look: then that was no view of it.
    for (let more = 0; more < MORE_LOOKS && !mine.text.includes(words); more++) mine = await ours.call("snapshot");
    if (!mine.text.includes(words)) throw new Error(`Our view of the ${what} does not show ${words}.`);
    const theirs =
      tokensIn(await peer.call("browser_navigate", { url })) + tokensIn(await peer.call("browser_snapshot"));
    add(`first view: ${what}`, tokensIn(mine), theirs, max);
  };
  const clickBoth = async (/** @type {string} */ name) => {
    const shown = (await peer.call("browser_snapshot")).text;
    const ref = new RegExp(`button "${name}".*?\\[ref=(\\w+)\\]`).exec(shown)?.[1];
    const mine = await ours.call("click", { target: `button "${name}"` });
    const theirs = await peer.call("browser_click", { target: ref, element: name });
    return { mine: tokensIn(mine), theirs: tokensIn(theirs) };
  };
  try {
    const schemas = (
      /** @type {readonly { name: string, description?: string, inputSchema: object, outputSchema?: object }[]} */ tools,
    ) =>
      tokensOf(
        JSON.stringify(
          tools.map(({ name, description, inputSchema, outputSchema }) => ({
            name,
            description,
            inputSchema,
            outputSchema,
          })),
        ),
      );
    const [myTools, theirTools] = [await ours.tools(), await peer.tools()];
    add(
      `tool schemas (${myTools.length} tools, peer ${theirTools.length})`,
      schemas(myTools),
      schemas(theirTools),
      MAX.schemas,
    );

    await firstView("sign-in form", `${office}/login`, "Password");
    await ours.call("type_text", { target: 'textbox "User"', text: ACCOUNT.user });
    await ours.call("type_text", { target: 'textbox "Password"', text: ACCOUNT.password });
    await ours.call("click", { target: 'button "Sign in"' });
    await peer.call("browser_type", { target: "input[name=user]", element: "User", text: ACCOUNT.user });
    await peer.call("browser_type", {
      target: "input[name=password]",
      element: "Password",
      text: ACCOUNT.password,
      submit: true,
    });
    await firstView("back office, 24 orders", `${office}/orders`, "CMD-1042");
    await firstView("shop", sites.shop.url, "ettle");
    await firstView("long article", `${site.url}/article`, "Part 1");
    await firstView("table of 3,000 rows", `${site.url}/table?rows=3000`, "CMD-10000");
    await firstView("table of 200 rows", `${site.url}/table?rows=200`, "CMD-10000", MAX.table200);

    add(
      "`snapshot` of the same page, nothing changed",
      tokensIn(await ours.call("snapshot")),
      tokensIn(await peer.call("browser_snapshot")),
      MAX.unchanged,
    );
    const cell = await clickBoth("Reprice");
    const after = tokensIn(await peer.call("browser_snapshot"));
    add("one cell of 200 rows changed by a click, to see it", cell.mine, cell.theirs + after, MAX.oneCell);

    await ours.call("navigate", { url: `${site.url}/button` });
    await peer.call("browser_navigate", { url: `${site.url}/button` });
    const click = await clickBoth("Count");
    add("plain click, the whole result", click.mine, click.theirs, MAX.click);
    const idle = await clickBoth("Idle");
    add("click that changes nothing, the whole result", idle.mine, idle.theirs);
    return {
      title: "Tokens",
      how: "o200k tokens of results as an MCP client gets them; of our two forms (text, structured content) the dearer one. `@playwright/mcp` answers an action with the name of a file: where a view is counted, its `browser_snapshot` is counted with it. The ratio says how many times smaller ours is.",
      peer: "@playwright/mcp",
      rows,
    };
  } finally {
    await ours.close();
    await peer.close();
  }
}
