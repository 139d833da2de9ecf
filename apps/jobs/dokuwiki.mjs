/**
 * DokuWiki (Debian) under PHP's own server: pages are files; forms, a preview, a draft that is kept while one writes,
 * and a link that signs out.
 */

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { debianVersionOf } from "../harness/packages.mjs";
import { serves, startProcess, until } from "../harness/processes.mjs";

const PROGRAM = "/usr/share/dokuwiki";
const USER = "ada";
const PASSWORD = "correct-horse";
const FIRST_TEXT = "====== Kettles ======\nBlue ones are best.";
const LATER_TEXT = "====== Kettles ======\nBlue ones are best, red ones are cheaper.";
/** It keeps a draft at the first key after this time. */
const DRAFT_AFTER_MS = 31_000;
const WORKERS = "4";
const SAVE = /"?do\[save\]"?/;
/** The field of the page's text is the first that holds it. */
const TEXT = /textbox(?! "Search")/;

let own = "";

/** @type {import("../harness/drive.mjs").App} */
export const dokuwiki = {
  name: "dokuwiki",
  version: async () => (await debianVersionOf("dokuwiki")) ?? "",
  // The last satisfies its need for PHP in a server without a server.
  debian: ["php-cli", "php-cgi", "dokuwiki"],
  granted: [{ effect: "POST /lib/exe/ajax.php", why: "keeps the page locked and the draft while it is edited" }],
  alsoAsked: [],
  traffic: [
    { match: /^GET \/lib\/exe\/taskrunner\.php/, is: "upkeep" },
    { match: /^POST \/lib\/exe\/ajax\.php/, is: "draft" },
    { match: /^GET \S*[?&]do=logout/, is: "change" },
    { match: /^POST \/doku\.php/, is: "change, or by its field do: edit reads, preview is a draft" },
  ],

  async start({ folder, port }) {
    own = folder;
    const [conf, data, sessions] = [join(folder, "conf"), join(folder, "data"), join(folder, "sessions")];
    const kept = "attic cache index locks log media media_attic media_meta meta pages tmp"
      .split(" ")
      .map((name) => join(data, name));
    for (const one of [conf, sessions, ...kept]) await mkdir(one, { recursive: true });
    const hash = createHash("md5").update(PASSWORD).digest("hex");
    await writeFile(
      join(conf, "local.php"),
      `<?php\n$conf['title'] = 'Kitchen';\n$conf['savedir'] = '${data}';\n$conf['useacl'] = 1;\n$conf['superuser'] = '@admin';\n`,
    );
    await writeFile(join(conf, "users.auth.php"), `${USER}:${hash}:Ada:ada@kitchen.test:admin,user\n`);
    await writeFile(join(conf, "acl.auth.php"), "*\t@ALL\t1\n*\t@user\t16\n");
    await writeFile(join(data, "pages", "start.txt"), "====== Kitchen ======\nSee [[Kettles]].\n");
    const first = join(folder, "first.php");
    await writeFile(first, `<?php\ndefine('DOKU_CONF', '${conf}/');\ndefine('DOKU_FARM', 'here');\n`);
    const args = [
      "-d",
      `auto_prepend_file=${first}`,
      "-d",
      `session.save_path=${sessions}`,
      "-S",
      `127.0.0.1:${port}`,
      "-t",
      PROGRAM,
    ];
    return startProcess("/usr/bin/php", args, {
      env: { PHP_CLI_SERVER_WORKERS: WORKERS },
      answers: () => serves(`http://127.0.0.1:${port}/doku.php`),
    });
  },

  async job({ origin, step, call }) {
    const page = () => readFile(join(own, "data", "pages", "kettles.txt"), "utf8");
    await step("open the wiki", [], () => call("navigate", { url: `${origin}/doku.php` }));
    await step("search without signing in", [], async () => {
      await call("type_text", { target: 'textbox "Search"', text: "kettles", submit: true });
      await call("go_back");
    });
    await step(
      "sign in",
      [{ change: "Ada is signed in", asks: /POST \S*\/doku\.php|sign in/i, done: isSignedIn }],
      async () => {
        await call("click", { target: 'link "Log In"' });
        await call("type_text", { target: 'textbox "Username"', text: USER });
        await call("type_text", { target: 'textbox "Password"', text: PASSWORD, submit: true });
      },
    );
    await step(
      "write a page, looking at its preview first",
      [{ change: "the page is there", asks: SAVE, done: async () => (await page()).includes("best.") }],
      async () => {
        await call("click", { target: 'link "Kettles"' });
        await call("click", { target: /link "Create this page/ });
        await call("type_text", { target: TEXT, text: FIRST_TEXT });
        await call("click", { target: 'button "Preview"' });
        await call("snapshot");
        await call("click", { target: 'button "Save"' });
      },
    );
    await step(
      "change it, slowly, so that a draft is kept",
      [{ change: "the page says the new words", asks: SAVE, done: async () => (await page()).includes("cheaper.") }],
      async () => {
        await call("click", { target: /link "Edit this page/ });
        await call("type_text", { target: TEXT, text: FIRST_TEXT });
        const opened = performance.now();
        await until(() => performance.now() - opened > DRAFT_AFTER_MS, 2 * DRAFT_AFTER_MS);
        await call("press_key", { target: TEXT, key: "End" });
        await call("type_text", { target: TEXT, text: LATER_TEXT, sequential: true });
        await call("type_text", { target: 'textbox "Edit summary"', text: "prices" });
        await call("click", { target: 'button "Save"' });
      },
    );
    await step("read old revisions", [], async () => {
      await call("click", { target: /link "Old revisions/ });
      await call("click", { target: 'link "Recent Changes"' });
      await call("click", { target: 'link "kettles" in "prices"' });
    });
    await step(
      "delete the page",
      [
        {
          change: "the page is gone",
          asks: SAVE,
          done: async () => !(await readdir(join(own, "data", "pages"))).includes("kettles.txt"),
        },
      ],
      async () => {
        await call("click", { target: /link "Edit this page/ });
        await call("type_text", { target: TEXT, text: "" });
        await call("click", { target: 'button "Save"' });
      },
    );
    await step(
      "sign out",
      [{ change: "Ada is signed out", asks: /GET \S*do=logout/, done: async () => !(await isSignedIn()) }],
      async () => {
        await call("click", { target: 'link "Log Out"' });
      },
    );
  },
};

async function isSignedIn() {
  const sessions = join(own, "sessions");
  for (const file of await readdir(sessions))
    if ((await readFile(join(sessions, file), "utf8")).includes(`"${USER}"`)) return true;
  return false;
}
