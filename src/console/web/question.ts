import type { OpenView } from "../shape.ts";
import { linesOf, make, say } from "./elements.ts";
import { post } from "./session.ts";

/** What just came or moved is not answered by a press that was meant for something else. */
export const QUIET_MS = 1_000;
const CONFIRM_WITHIN_MS = 6_000;
const WRONG_CODE = 422;
const FORBIDDEN = 403;

type Choice = OpenView["choices"][number]["choice"];

/** Milliseconds of a clock that never goes back. */
export const now = (): number => performance.now();

/** What the whole page knows. */
export interface Around {
  /** Until then no yes and no key counts: something moved, came, or the window was just turned to. */
  readonly quietUntil: () => number;
  /** Something changed that is to be shown. */
  readonly changed: () => void;
}

/** One question on the page. */
export class Question {
  readonly item = make("li");
  readonly choices: readonly { readonly button: HTMLButtonElement; readonly choice: Choice }[];
  expiresAt = 0;
  settledAt = now() + QUIET_MS;
  armed: Choice | null = null;
  readonly #view: OpenView;
  readonly #around: Around;
  readonly #article = make("article");
  readonly #left = make("p", "left");
  readonly #says = make("p", "says");
  readonly #code: HTMLInputElement | null;
  #armedUntil = 0;
  #isSending = false;

  constructor(view: OpenView, around: Around) {
    this.#view = view;
    this.#around = around;
    this.#article.className = view.code === null ? "question" : "question irreversible";
    const heading = make("h3", "", view.name);
    heading.id = `heading-${view.id}`;
    this.#article.setAttribute("aria-labelledby", heading.id);
    this.#article.append(heading, this.#left, linesOf(view.lines));
    this.#code = view.code === null ? null : this.#askForCode(view.code);
    const choices = make("div", "choices");
    this.choices = view.choices.map(({ choice, word, means }, index) => {
      const button = this.#buttonOf(choice, index === 0 ? `${word} (n)` : `${word} (${index})`, means);
      choices.append(button);
      return { button, choice };
    });
    this.#says.setAttribute("role", "status");
    this.#article.append(choices, this.#says);
    this.item.append(this.#article);
  }

  get id(): string {
    return this.#view.id;
  }

  get name(): string {
    return this.#view.name;
  }

  get yes(): Question["choices"] {
    return this.choices.filter(({ choice }) => choice !== "no");
  }

  get mayYes(): boolean {
    const at = now();
    if (this.#isSending || at < this.#around.quietUntil() || at < this.settledAt || at >= this.expiresAt) return false;
    return this.#hasCode;
  }

  get #hasCode(): boolean {
    const { code } = this.#view;
    return code === null || this.#code?.value.trim().toUpperCase() === code.toUpperCase();
  }

  sayWhyNot(): void {
    if (this.#code === null || this.#hasCode) return;
    say(this.#says, "Type the code first.");
    this.#code.focus();
  }

  pressTwice(choice: Choice): void {
    if (this.armed === choice && now() < this.#armedUntil) {
      void this.answer(choice);
      return;
    }
    this.armed = choice;
    this.#armedUntil = now() + CONFIRM_WITHIN_MS;
    const word = this.#view.choices.find((offered) => offered.choice === choice)?.word ?? "";
    say(this.#says, `Press again to confirm: ${word}`);
    this.#around.changed();
  }

  async answer(choice: Choice): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    this.#around.changed();
    const { id, digest } = this.#view;
    try {
      const code = choice === "no" || this.#code === null ? {} : { code: this.#code.value };
      const problem = await problemOf(await post("/answer", { id, digest, answer: choice, ...code }));
      if (problem !== null) say(this.#says, problem);
    } catch {
      say(this.#says, "Not answered: the session does not reply.");
    }
    this.#isSending = false;
    this.armed = null;
    this.#around.changed();
  }

  /** Shows what it is now. */
  refresh(isMarked: boolean): void {
    say(this.#left, leftWords(this.expiresAt - now()));
    this.#article.classList.toggle("marked", isMarked);
    if (this.armed !== null && now() >= this.#armedUntil) {
      this.armed = null;
      say(this.#says, "");
    }
    const isDisabled = String(!this.mayYes);
    for (const { button, choice } of this.yes) {
      // Not really disabled: that would take the focus away.
      if (button.getAttribute("aria-disabled") !== isDisabled) button.setAttribute("aria-disabled", isDisabled);
      button.classList.toggle("armed", this.armed === choice);
    }
  }

  #askForCode(code: string): HTMLInputElement {
    const box = make("div", "code");
    const label = make("label", "", "To say anything but no, type ");
    label.append(make("strong", "", code));
    label.htmlFor = `code-${this.#view.id}`;
    const field = make("input");
    Object.assign(field, {
      id: label.htmlFor,
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: false,
    });
    field.addEventListener("input", () => this.#around.changed());
    box.append(label, field);
    this.#article.append(box);
    return field;
  }

  #buttonOf(choice: Choice, word: string, means: string): HTMLButtonElement {
    const button = make("button", choice === "no" ? "no" : "yes");
    button.type = "button";
    button.append(make("span", "word", word));
    if (means !== "") button.append(make("span", "means", means));
    button.addEventListener("click", (event) => this.#clicked(choice, event));
    return button;
  }

  #clicked(choice: Choice, event: MouseEvent): void {
    if (!event.isTrusted) return;
    if (choice === "no") void this.answer(choice);
    else if (!this.mayYes) this.sayWhyNot();
    // A mouse counts its clicks; keys and reading aids do not, and press twice.
    else if (event.detail > 0) void this.answer(choice);
    else this.pressTwice(choice);
  }
}

/** Why an answer was not taken; null when it was. */
async function problemOf(response: Response): Promise<string | null> {
  if (response.ok) return null;
  if (response.status === FORBIDDEN)
    return "Not answered: this page is no longer signed in. Run chaperone console again.";
  if (response.status !== WRONG_CODE) return "Not answered: the question is no longer open.";
  const { triesLeft } = (await response.json()) as { readonly triesLeft: number };
  return `That is not the code. Tries left: ${triesLeft}`;
}

function leftWords(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `Expires in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
