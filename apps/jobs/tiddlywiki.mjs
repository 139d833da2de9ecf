/**
 * TiddlyWiki as its own server: every note is a file. It saves by itself, a moment after each change, drafts and the
 * list of open notes too.
 */

import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { programOf, versionOf } from "../harness/packages.mjs";
import { serves, startProcess } from "../harness/processes.mjs";

const TITLE = "Shopping list";
const FIRST_TEXT = "Milk and bread for Sunday";
const LATER_TEXT = "Milk, bread and twelve eggs for Sunday";

let wiki = "";

/** @type {import("../harness/drive.mjs").App} */
export const tiddlywiki = {
  name: "tiddlywiki",
  version: () => versionOf("tiddlywiki"),
  debian: [],
  granted: [
    { effect: "PUT /recipes/default/tiddlers/%24%3A%2FStoryList", why: "which notes are open: sent on every look" },
  ],
  alsoAsked: [],
  traffic: [
    { match: /^PUT \/recipes\/default\/tiddlers\/Draft%20of/, is: "draft" },
    { match: /^DELETE \/bags\/default\/tiddlers\/Draft%20of/, is: "sameChange" },
    { match: /^PUT \/recipes\/default\/tiddlers\/%24%3A%2FStoryList/, is: "upkeep" },
    { match: /^(PUT|DELETE) \/(recipes|bags)\/default\/tiddlers\//, is: "change" },
  ],

  async start({ folder, port }) {
    wiki = join(folder, "wiki");
    const program = programOf("tiddlywiki", "tiddlywiki.js");
    await promisify(execFile)(process.execPath, [program, wiki, "--init", "server"]);
    return startProcess(process.execPath, [program, wiki, "--listen", `port=${port}`, "host=127.0.0.1"], {
      answers: () => serves(`http://127.0.0.1:${port}/status`),
    });
  },

  async job({ origin, step, call }) {
    const noteIsThere = async () => (await textOf(TITLE)) !== null;
    await step("open the wiki", [], () => call("navigate", { url: origin }));
    await step("search", [], async () => {
      const field = /searchbox/;
      await call("type_text", { target: field, text: "welcome", sequential: true });
      await call("type_text", { target: field, text: "" });
    });
    await step(
      "write a note",
      [
        {
          change: "the note is there",
          asks: /PUT \S*\/tiddlers\/Shopping/,
          done: async () => (await textOf(TITLE))?.includes(FIRST_TEXT),
        },
      ],
      async () => {
        await call("click", { target: 'button "new tiddler"' });
        await call("type_text", { target: /textbox = "New Tiddler"/, text: TITLE });
        await call("type_text", { target: 'textbox "Type the text for this tiddler"', text: FIRST_TEXT });
        await call("click", { target: 'button "Confirm changes to this tiddler"' });
      },
    );
    await step(
      "change the note",
      [
        {
          change: "its text is the new one",
          asks: /PUT \S*\/tiddlers\/Shopping/,
          done: async () => (await textOf(TITLE))?.includes(LATER_TEXT),
        },
      ],
      async () => {
        // The newest note stands first.
        await call("click", { target: /button "Edit this tiddler"/ });
        await call("type_text", { target: 'textbox "Type the text for this tiddler"', text: LATER_TEXT });
        await call("click", { target: 'button "Confirm changes to this tiddler"' });
      },
    );
    await step("look through the notes", [], async () => {
      await call("click", { target: 'tab "Tools"' });
      await call("click", { target: 'tab "Recent"' });
      await call("click", { target: `link "${TITLE}"` });
    });
    await step(
      "delete the note",
      [
        {
          change: "the note is gone",
          asks: /DELETE \S*\/tiddlers\/Shopping/,
          done: async () => !(await noteIsThere()),
        },
      ],
      async () => {
        // The newest note stands first.
        await call("click", { target: /button "Edit this tiddler"/ });
        await call("handle_next_dialog", { accept: true });
        await call("click", { target: 'button "Delete this tiddler"' });
      },
    );
  },
};

/**
 * What the note's file says; null when there is none.
 * @param {string} title
 */
async function textOf(title) {
  const folder = join(wiki, "tiddlers");
  for (const file of await readdir(folder).catch(() => [])) {
    const text = file.endsWith(".tid") ? await readFile(join(folder, file), "utf8") : "";
    if (text.split("\n").includes(`title: ${title}`)) return text;
  }
  return null;
}
