/** Runs in the person's browser. Every word of a session is set as text, never as HTML. */

export const openingScript = `"use strict";
const says = document.getElementById("says");
const key = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
async function open() {
  const response = await fetch("/open", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ key }) });
  if (!response.ok) throw new Error("refused");
  sessionStorage.setItem("token", (await response.json()).token);
}
const opened = key === "" && sessionStorage.getItem("token") !== null ? Promise.resolve() : open();
opened.then(() => location.replace("/"), () => { says.textContent = "This address opens once, and was used or is too old. Run chaperone console again."; });
`;

export const consoleScript = String.raw`"use strict";
const QUIET_MS = 1000;
const CONFIRM_WITHIN_MS = 6000;
const TICK_MS = 100;
const RETRY_MS = 1000;
const token = sessionStorage.getItem("token") ?? "";
const at = (id) => document.getElementById(id);
const now = () => performance.now();
/** Questions on the page by id, in their order. */
const shown = new Map();
/** Until then no yes and no key counts: something moved, came, or the window was just turned to. */
let quietUntil = now() + QUIET_MS;
let markedId = null;

function make(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function linesOf(lines) {
  const box = make("div", "lines");
  for (const line of lines) box.append(make("div", "line", line));
  return box;
}

function post(path, body) {
  return fetch(path, { method: "POST", headers: { "content-type": "application/json", "x-chaperone-token": token }, body: JSON.stringify(body) });
}

/* One question */

function show(question) {
  const entry = { question, expiresAt: 0, settledAt: now() + QUIET_MS, armed: null, armedUntil: 0, sending: false, yes: [] };
  const article = make("article", "question " + (question.code === null ? "" : "irreversible"));
  const heading = make("h3", "", question.name);
  heading.id = "heading-" + question.id;
  article.setAttribute("aria-labelledby", heading.id);
  entry.left = make("p", "left");
  article.append(heading, entry.left, linesOf(question.lines));
  if (question.code !== null) article.append(codeOf(entry));
  const choices = make("div", "choices");
  question.choices.forEach((offered, index) => choices.append(buttonOf(entry, offered, index)));
  entry.says = make("p", "says");
  entry.says.setAttribute("role", "status");
  article.append(choices, entry.says);
  entry.item = make("li");
  entry.item.append(article);
  entry.article = article;
  return entry;
}

function codeOf(entry) {
  const box = make("div", "code");
  const label = make("label", "", "To say anything but no, type ");
  label.append(make("strong", "", entry.question.code));
  label.htmlFor = "code-" + entry.question.id;
  entry.code = make("input");
  entry.code.id = label.htmlFor;
  entry.code.type = "text";
  entry.code.autocomplete = "off";
  entry.code.autocapitalize = "off";
  entry.code.spellcheck = false;
  entry.code.addEventListener("input", refresh);
  box.append(label, entry.code);
  return box;
}

function buttonOf(entry, { choice, word, means }, index) {
  const button = make("button", choice === "no" ? "no" : "yes");
  button.type = "button";
  button.append(make("span", "word", word + (index === 0 ? " (n)" : " (" + index + ")")));
  if (means !== "") button.append(make("span", "means", means));
  if (choice !== "no") entry.yes.push({ button, choice });
  button.addEventListener("click", (event) => {
    if (!event.isTrusted) return;
    if (choice === "no") return void answer(entry, choice);
    if (!mayYes(entry)) return void sayWhyNot(entry);
    // A mouse counts its clicks; keys and reading aids do not, and press twice.
    if (event.detail > 0) return void answer(entry, choice);
    pressTwice(entry, choice);
  });
  return button;
}

function mayYes(entry) {
  if (entry.sending || now() < quietUntil || now() < entry.settledAt || now() >= entry.expiresAt) return false;
  return entry.question.code === null || hasCode(entry);
}

function hasCode({ question, code }) {
  return code.value.trim().toUpperCase() === question.code.toUpperCase();
}

function sayWhyNot(entry) {
  if (!entry.code || hasCode(entry)) return;
  say(entry.says, "Type the code first.");
  entry.code.focus();
}

function pressTwice(entry, choice) {
  if (entry.armed === choice && now() < entry.armedUntil) return void answer(entry, choice);
  entry.armed = choice;
  entry.armedUntil = now() + CONFIRM_WITHIN_MS;
  say(entry.says, "Press again to confirm: " + entry.question.choices.find((offered) => offered.choice === choice).word);
  refresh();
}

async function answer(entry, choice) {
  if (entry.sending) return;
  entry.sending = true;
  refresh();
  const { id, digest } = entry.question;
  try {
    const code = choice === "no" || !entry.code ? {} : { code: entry.code.value };
    const response = await post("/answer", { id, digest, answer: choice, ...code });
    if (response.status === 422) {
      const { triesLeft } = await response.json();
      say(entry.says, "That is not the code. Tries left: " + triesLeft);
    } else if (response.status === 403) say(entry.says, "Not answered: this page is no longer signed in. Run chaperone console again.");
    else if (!response.ok) say(entry.says, "Not answered: the question is no longer open.");
  } catch {
    say(entry.says, "Not answered: the session does not reply.");
  }
  entry.sending = false;
  entry.armed = null;
  refresh();
}

/* The state */

function render(view) {
  say(at("title"), view.title);
  say(at("mode"), view.status.mode);
  say(at("profile"), view.status.profile);
  say(at("sites"), view.status.sites.join(", ") || "none");
  const openIds = new Set(view.open.map(({ id, digest }) => id + " " + digest));
  for (const [key, entry] of shown) {
    if (openIds.has(key)) continue;
    // What stood below moves up, perhaps under a finger.
    quietUntil = now() + QUIET_MS;
    entry.item.remove();
    shown.delete(key);
  }
  let came = null;
  for (const question of view.open) {
    const key = question.id + " " + question.digest;
    let entry = shown.get(key);
    if (!entry) {
      entry = show(question);
      shown.set(key, entry);
      at("open").append(entry.item);
      came = question;
    }
    entry.expiresAt = now() + question.leftMs;
  }
  if (came !== null) say(at("announce"), came.name + ". " + shown.size + " open.");
  at("none").hidden = shown.size > 0;
  at("keys").hidden = shown.size === 0;
  document.title = (shown.size > 0 ? "(" + shown.size + ") " : "") + view.title;
  const done = JSON.stringify(view.done);
  if (at("done").dataset.of !== done) {
    at("done").dataset.of = done;
    at("done").replaceChildren(...view.done.map(doneItem));
  }
  at("recent").replaceChildren(...view.status.recent.map((line) => make("li", "", line)));
  refresh();
}

function doneItem({ name, lines, outcome }) {
  const item = make("li");
  const article = make("article", "question answered");
  article.append(make("h3", "", name), make("p", "outcome", outcome), linesOf(lines));
  item.append(article);
  return item;
}

/** The question that the keys answer: the one with the focus, else the first. */
function marked() {
  const entries = [...shown.values()];
  const entry = entries.find(({ item }) => item.contains(document.activeElement)) ?? entries[0] ?? null;
  const id = entry === null ? null : entry.question.id;
  if (id !== markedId) {
    markedId = id;
    for (const other of entries) other.armed = null;
    if (entry !== null) entry.settledAt = Math.max(entry.settledAt, now() + (entry.item.contains(document.activeElement) ? 0 : QUIET_MS));
  }
  return entry;
}

function leftWords(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return "Expires in " + Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0");
}

function refresh() {
  const target = marked();
  for (const entry of shown.values()) {
    say(entry.left, leftWords(entry.expiresAt - now()));
    entry.article.classList.toggle("marked", entry === target);
    if (entry.armed !== null && now() >= entry.armedUntil) {
      entry.armed = null;
      say(entry.says, "");
    }
    const may = mayYes(entry);
    for (const { button, choice } of entry.yes) {
      // Not really disabled: that would take the focus away.
      if (button.getAttribute("aria-disabled") !== String(!may)) button.setAttribute("aria-disabled", String(!may));
      button.classList.toggle("armed", entry.armed === choice);
    }
  }
}

function turnedTo() {
  quietUntil = now() + QUIET_MS;
  refresh();
}

function onKey(event) {
  if (!event.isTrusted) return;
  const isButton = event.target instanceof HTMLButtonElement;
  const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  const entry = marked();
  const inQuestion = entry !== null && entry.item.contains(event.target);
  const isQuiet = now() < quietUntil || (entry !== null && now() < entry.settledAt);
  if (inQuestion && (event.key === "Enter" || event.key === " ") && isButton) {
    // Enter never says yes, a key that is held down says nothing.
    if (event.repeat || isQuiet || (event.key === "Enter" && event.target.classList.contains("yes"))) event.preventDefault();
    return;
  }
  if (entry === null || isField || event.repeat || isQuiet || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "n") return void answer(entry, "no");
  const yes = /^[1-3]$/.test(event.key) ? entry.yes[Number(event.key) - 1] : undefined;
  if (!yes) return;
  if (mayYes(entry)) return pressTwice(entry, yes.choice);
  event.preventDefault();
  sayWhyNot(entry);
}

/* What a person adds */

function adds(button, field, path, name, says) {
  at(button).addEventListener("click", async (event) => {
    const value = at(field).value.trim();
    if (!event.isTrusted || value === "") return;
    at(button).disabled = true;
    try {
      const response = await post(path, { [name]: value });
      const problem = response.ok ? null : response.status === 422 ? (await response.json()).problem : "it could not be added";
      say(at(says), problem === null ? "Added: " + value : "Not added: " + problem);
      if (problem === null) at(field).value = "";
    } catch {
      say(at(says), "Not added: the session does not reply.");
    }
    at(button).disabled = false;
  });
}

/* The connection */

async function watch() {
  const response = await fetch("/state", { headers: { "x-chaperone-token": token } });
  if (response.status === 403) return "This page is not signed in. Run chaperone console again.";
  if (!response.ok) throw new Error("busy");
  say(at("connection"), "Connected");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error("ended");
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const view = JSON.parse(line);
      if (view.ended) return "The session has ended.";
      render(view);
    }
  }
}

async function keepWatching() {
  for (;;) {
    try {
      const end = await watch();
      say(at("connection"), end);
      for (const { item } of shown.values()) item.remove();
      shown.clear();
      return refresh();
    } catch {
      say(at("connection"), "The session does not reply. Trying again…");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

adds("add-text", "text", "/text", "text", "text-says");
adds("add-site", "site", "/site", "site", "site-says");
addEventListener("focus", turnedTo);
document.addEventListener("visibilitychange", turnedTo);
document.addEventListener("focusin", refresh);
document.addEventListener("keydown", onKey);
setInterval(refresh, TICK_MS);
void keepWatching();
`;
