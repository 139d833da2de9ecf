import type { View } from "../shape.ts";
import { adds } from "./adding.ts";
import { at, linesOf, make, say } from "./elements.ts";
import { now, QUIET_MS, Question } from "./question.ts";
import { watch } from "./session.ts";

const TICK_MS = 100;
const RETRY_MS = 1_000;

/** Questions on the page by id and digest, in their order. */
const shown = new Map<string, Question>();
let quietUntil = now() + QUIET_MS;
let markedId: string | null = null;

const around = { quietUntil: () => quietUntil, changed: () => refresh() };

function render(view: View): void {
  say(at("title"), view.title);
  say(at("mode"), view.status.mode);
  say(at("profile"), view.status.profile);
  say(at("sites"), view.status.sites.join(", ") || "none");
  renderOpen(view);
  const done = JSON.stringify(view.done);
  if (at("done").dataset.of !== done) {
    at("done").dataset.of = done;
    at("done").replaceChildren(...view.done.map(doneItem));
  }
  at("recent").replaceChildren(...view.status.recent.map((line) => make("li", "", line)));
  refresh();
}

function renderOpen(view: View): void {
  const open = new Set(view.open.map(({ id, digest }) => `${id} ${digest}`));
  for (const [key, question] of shown) {
    if (open.has(key)) continue;
    // What stood below moves up, perhaps under a finger.
    quietUntil = now() + QUIET_MS;
    question.item.remove();
    shown.delete(key);
  }
  let came: Question | null = null;
  for (const each of view.open) {
    const key = `${each.id} ${each.digest}`;
    const question = shown.get(key) ?? new Question(each, around);
    if (!shown.has(key)) {
      shown.set(key, question);
      at("open").append(question.item);
      came = question;
    }
    question.expiresAt = now() + each.leftMs;
  }
  if (came !== null) say(at("announce"), `${came.name}. ${shown.size} open.`);
  at("none").hidden = shown.size > 0;
  at("keys").hidden = shown.size === 0;
  document.title = shown.size > 0 ? `(${shown.size}) ${view.title}` : view.title;
}

function doneItem({ name, lines, outcome }: View["done"][number]): HTMLElement {
  const item = make("li");
  const article = make("article", "question answered");
  article.append(make("h3", "", name), make("p", "outcome", outcome), linesOf(lines));
  item.append(article);
  return item;
}

/** The question that the keys answer: the one with the focus, else the first. */
function marked(): Question | null {
  const questions = [...shown.values()];
  const hasFocus = ({ item }: Question): boolean => item.contains(document.activeElement);
  const question = questions.find(hasFocus) ?? questions[0] ?? null;
  const id = question === null ? null : question.id;
  if (id !== markedId) {
    markedId = id;
    for (const other of questions) other.armed = null;
    if (question !== null)
      question.settledAt = Math.max(question.settledAt, now() + (hasFocus(question) ? 0 : QUIET_MS));
  }
  return question;
}

function refresh(): void {
  const target = marked();
  for (const question of shown.values()) question.refresh(question === target);
}

function turnedTo(): void {
  quietUntil = now() + QUIET_MS;
  refresh();
}

function onKey(event: KeyboardEvent): void {
  if (!event.isTrusted) return;
  const { target } = event;
  const question = marked();
  const isInQuestion = target instanceof Node && question?.item.contains(target) === true;
  const isQuiet = now() < quietUntil || (question !== null && now() < question.settledAt);
  if (isInQuestion && (event.key === "Enter" || event.key === " ") && target instanceof HTMLButtonElement) {
    // Enter never says yes, a key that is held down says nothing.
    if (event.repeat || isQuiet || (event.key === "Enter" && target.classList.contains("yes"))) event.preventDefault();
    return;
  }
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (
    question === null ||
    isField ||
    event.repeat ||
    isQuiet ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.isComposing
  )
    return;
  if (event.key === "n") {
    void question.answer("no");
    return;
  }
  const yes = /^[1-3]$/.test(event.key) ? question.yes[Number(event.key) - 1] : undefined;
  if (yes === undefined) return;
  if (question.mayYes) question.pressTwice(yes.choice);
  else {
    event.preventDefault();
    question.sayWhyNot();
  }
}

async function keepWatching(): Promise<void> {
  for (;;) {
    try {
      const end = await watch(() => say(at("connection"), "Connected"), render);
      say(at("connection"), end);
      for (const { item } of shown.values()) item.remove();
      shown.clear();
      refresh();
      return;
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
