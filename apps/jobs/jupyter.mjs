/**
 * Jupyter's classic notebook (Debian): kernels over a socket, saves and checkpoints over its REST interface, and a list
 * that is asked for again and again.
 */

import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { debianVersionOf } from "../harness/packages.mjs";
import { serves, startProcess } from "../harness/processes.mjs";

const TOKEN = "token-of-the-notebook";

const CODE = 'open("sum.txt","w").write(str(2+3))';

let books = "";
let address = "";

/** @type {import("../harness/drive.mjs").App} */
export const jupyter = {
  name: "jupyter",
  version: async () => (await debianVersionOf("jupyter-notebook")) ?? "",
  debian: ["jupyter-notebook", "python3-ipykernel"],
  granted: [],
  alsoAsked: [{ asks: /\/api\/kernels\/\S*\/channels/, why: "its socket, whose messages are not seen" }],
  traffic: [
    { match: /^POST \/login/, is: "change" },
    { match: /^POST \/api\/contents(\?|$)/, is: "change" },
    { match: /^POST \/api\/sessions/, is: "sameChange" },
    { match: /^POST \/api\/contents\/\S+\/checkpoints/, is: "sameChange" },
    { match: /^(PUT|PATCH|DELETE) \/api\//, is: "change" },
  ],

  async start({ folder, port }) {
    books = join(folder, "books");
    await mkdir(books, { recursive: true });
    const kept = {
      JUPYTER_CONFIG_DIR: "config",
      JUPYTER_DATA_DIR: "data",
      JUPYTER_RUNTIME_DIR: "run",
      IPYTHONDIR: "ipython",
    };
    const env = Object.fromEntries(Object.entries(kept).map(([name, place]) => [name, join(folder, place)]));
    const args = [
      "--no-browser",
      "--allow-root",
      "--ip=127.0.0.1",
      `--port=${port}`,
      "--port-retries=0",
      `--NotebookApp.token=${TOKEN}`,
      `--notebook-dir=${books}`,
    ];
    address = `http://127.0.0.1:${port}`;
    return startProcess("/usr/bin/jupyter-notebook", args, { env, answers: () => serves(`${address}/login`) });
  },

  async job({ origin, step, call }) {
    const sessions = () => get("api/sessions");
    await step("open it", [], () => call("navigate", { url: origin }));
    await step(
      "sign in",
      [
        {
          change: "it is signed in",
          asks: /POST \S*\/login|sign in/i,
          done: async () => Number((await call("find", { role: "button", name: "Logout" })).found) > 0,
        },
      ],
      async () => {
        await call("type_text", { target: 'textbox "Password or token:"', text: TOKEN, submit: true });
        await call("wait_for", { text: "The notebook list is empty" });
      },
    );
    await step(
      "create a notebook",
      [
        {
          change: "the notebook is there",
          asks: /POST \S*\/api\/contents/,
          done: async () => (await readdir(books)).includes("Untitled.ipynb"),
        },
        {
          change: "its kernel runs",
          asks: /POST \S*\/api\/sessions/,
          isPart: true,
          done: async () => (await sessions()).length === 1,
        },
      ],
      async () => {
        await call("click", { target: 'button "New"' });
        await call("click", { target: /menuitem "python3"/ });
        await call("tabs", { action: "select", tab: "t2" });
      },
    );
    await step(
      "run a cell",
      [
        {
          change: "what it does is done",
          asks: /channels/,
          isPart: true,
          done: async () => (await readFile(join(books, "sum.txt"), "utf8")) === "5",
        },
      ],
      async () => {
        await call("wait_for", { text: "Python 3 (ipykernel)" });
        await call("wait_for", { text: "Kernel starting, please wait...", gone: true });
        await call("click", { target: /clickable "In \[ \]:"/ });
        await call("press_key", { key: "Enter" });
        // Its editor has no field that one could type into.
        for (const key of CODE) await call("press_key", { key });
        await call("click", { target: 'button "Run"' });
      },
    );
    await step(
      "give it a name",
      [
        {
          change: "the file has it",
          asks: /PATCH \S*\/api\/contents/,
          done: async () => (await readdir(books)).includes("Sums.ipynb"),
        },
        {
          change: "so has its kernel's session",
          asks: /PATCH \S*\/api\/sessions/,
          isPart: true,
          done: async () => JSON.stringify(await sessions()).includes("Sums.ipynb"),
        },
      ],
      async () => {
        await call("click", { target: 'clickable "Untitled"' });
        await call("type_text", { target: 'textbox "Enter a new notebook name:"', text: "Sums" });
        await call("click", { target: 'button "Rename"' });
      },
    );
    await step(
      "save it",
      [
        {
          change: "the file has the cell",
          asks: /PUT \S*\/api\/contents/,
          done: async () => (await readFile(join(books, "Sums.ipynb"), "utf8")).includes("sum.txt"),
        },
        {
          change: "a checkpoint has it",
          asks: /POST \S*\/checkpoints/,
          isPart: true,
          done: async () => (await readFile(checkpoint(), "utf8")).includes("sum.txt"),
        },
      ],
      () => call("click", { target: 'button "Save and Checkpoint"' }),
    );
    await step(
      "shut its kernel down",
      [
        {
          change: "no kernel runs",
          asks: /DELETE \S*\/api\/sessions/,
          done: async () => (await sessions()).length === 0,
        },
      ],
      async () => {
        await call("click", { target: 'link "File"' });
        await call("click", { target: /(?:menuitem|link) "Close and Halt"/ });
      },
    );
    await step(
      "delete it",
      [
        {
          change: "the notebook is gone",
          asks: /DELETE \S*\/api\/contents/,
          done: async () => !(await readdir(books)).includes("Sums.ipynb"),
        },
      ],
      async () => {
        await call("tabs", { action: "select", tab: "t1" });
        // The list asks for what is new once a minute.
        await call("navigate", { url: `${origin}/tree` });
        await call("click", { target: /checkbox "Click here to rename, delete, etc\."/ });
        await call("click", { target: 'button "Delete selected"' });
        await call("click", { target: 'button "Delete"' });
      },
    );
  },
};

const checkpoint = () => join(books, ".ipynb_checkpoints", "Sums-checkpoint.ipynb");
/** @param {string} path @returns {Promise<unknown[]>} */
const get = async (path) => (await fetch(`${address}/${path}?token=${TOKEN}`)).json();
