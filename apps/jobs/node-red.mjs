/** Node-RED: flows are deployed, triggered, and told about over a socket. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { programOf, versionOf } from "../harness/packages.mjs";
import { serves, startProcess } from "../harness/processes.mjs";

const NO = 'button "No, do not enable notifications"';

let settings = "";
let written = "";
let address = "";

/** @type {import("../harness/drive.mjs").App} */
export const nodeRed = {
  name: "node-red",
  version: () => versionOf("node-red"),
  debian: [],
  granted: [],
  alsoAsked: [{ asks: /\/comms/, why: "its socket, whose messages are not seen" }],
  traffic: [
    { match: /^POST \/settings\/user/, is: "upkeep" },
    { match: /^POST \/(flows|inject\/)/, is: "change" },
  ],

  async start({ folder, port }) {
    const own = join(folder, "red");
    settings = join(own, ".config.runtime.json");
    written = join(folder, "written.txt");
    address = `http://127.0.0.1:${port}`;
    await mkdir(own, { recursive: true });
    await writeFile(
      join(own, "settings.js"),
      'module.exports = { flowFile: "flows.json", editorTheme: { tours: false } };\n',
    );
    const args = [programOf("node-red", "red.js"), "--userDir", own, "--port", String(port), "-D", "uiHost=127.0.0.1"];
    return startProcess(process.execPath, args, { answers: () => serves(`${address}/`) });
  },

  async job({ origin, step, call }) {
    const tabs = async () => (await flows()).filter(({ type }) => type === "tab").map(({ label }) => label);
    await step("open the editor", [], async () => {
      await call("navigate", { url: origin });
      await call("wait_for", { target: NO });
    });
    await step(
      "say no to notifications",
      [
        {
          change: "the editor remembers it",
          asks: /POST \S*\/settings\/user/,
          done: async () => JSON.parse(await readFile(settings, "utf8")).telemetryEnabled === false,
        },
      ],
      () => call("click", { target: NO }),
    );
    await step("look for a kind of node", [], async () => {
      await call("type_text", { target: 'textbox "filter nodes"', text: "file", sequential: true });
      await call("type_text", { target: 'textbox "filter nodes"', text: "" });
    });
    await step(
      "deploy a flow",
      [{ change: "the server runs it", asks: /POST \S*\/flows/, done: async () => (await tabs()).includes("Heating") }],
      async () => {
        await call("press_key", { key: "Control+i" });
        await call("type_text", { target: 'textbox "" in "Import nodes"', text: JSON.stringify(imported()) });
        // It looks at what was pasted at the next key.
        await call("press_key", { key: "Control+End", target: 'textbox "" in "Import nodes"' });
        await call("click", { target: 'link "new flow" in "Import nodes"' });
        await call("click", { target: 'button "Import"' });
        await call("click", { target: 'link "Deploy"' });
      },
    );
    await step(
      "give it another name and deploy",
      [
        {
          change: "the server has the name",
          asks: /POST \S*\/flows/,
          done: async () => (await tabs()).includes("Radiators"),
        },
      ],
      async () => {
        await call("click", { target: 'link "Heating"' });
        await call("click", { target: 'link "Heating"', count: 2 });
        await call("type_text", { target: 'textbox "Name"', text: "Radiators" });
        await call("click", { target: 'button "Done"' });
        await call("click", { target: 'link "Deploy"' });
      },
    );
    await step(
      "delete it and deploy",
      [
        {
          change: "the server runs it no more",
          asks: /POST \S*\/flows/,
          done: async () => (await tabs()).join() === "Flow 1",
        },
      ],
      async () => {
        await call("click", { target: 'link "Radiators"', count: 2 });
        await call("click", { target: 'button "Delete"' });
        await call("click", { target: 'link "Deploy"' });
      },
    );
  },
};

/** A flow as people paste them: a button, and a file that it writes to. */
function imported() {
  return [
    { id: "f1", type: "tab", label: "Heating" },
    {
      id: "n1",
      type: "inject",
      z: "f1",
      name: "now",
      props: [{ p: "payload" }],
      payload: "warmer",
      payloadType: "str",
      repeat: "",
      crontab: "",
      once: false,
      topic: "",
      x: 140,
      y: 80,
      wires: [["n2"]],
    },
    {
      id: "n2",
      type: "file",
      z: "f1",
      name: "",
      filename: written,
      filenameType: "str",
      appendNewline: true,
      x: 360,
      y: 80,
      wires: [[]],
    },
  ];
}

/** @returns {Promise<{ type: string, label?: string }[]>} */
const flows = async () => (await fetch(`${address}/flows`)).json();
