import { cleanTrimmed } from "./clean.ts";
import {
  areaForm,
  areaValue,
  attribute,
  baseUri,
  buttonForm,
  buttonType,
  closest,
  elementsIn,
  flatParent,
  formAction,
  formMethod,
  hasAttribute,
  inputFiles,
  inputForm,
  inputType,
  inputValue,
  isContentEditable,
  isTag,
  matches,
  optionLabel,
  optionSelected,
  queryAll,
  selectForm,
  selectOptions,
  textContent,
} from "./dom.ts";

const SECRET_AUTOCOMPLETE = /(?:^|\s)(?:current-password|new-password|one-time-code|cc-[a-z-]+)(?:$|\s)/;
// In names, ids and labels of fields; word by word, so that "shopping" is no "pin".
const SECRET_WORDS =
  /pass(?:word|wd|code|phrase)|\bpwd\b|\bpin\b|\bpin.?code\b(?=.*card)|\bcvv2?\b|\bcvc2?\b|\bcsc\b|security.?code|card.?(?:number|num|no)\b|\bcc.?(?:number|num|no|csc|cvv)\b|\botp\b|\btotp\b|\b2fa\b|\bmfa\b|one.?time.?(?:code|password|pin)|(?:verification|authentication|authenticator|confirmation|sms|login).?code|mot de passe|passwort|kennwort|contraseñ?a|senha\b|wachtwoord|пароль|код.{0,12}(?:смс|sms|подтвержд)|비밀번호|인증.?번호|密码|密碼|パスワード|暗証番号|验证码|認証コード/iu;
const OTHER_CODES =
  /post|zip|area|country|discount|promo|coupon|voucher|gift|product|article|item|sort|bar.?code|colou?r/i;
const ONE_DIGIT_GROUP_MIN = 4;
const CODE_LENGTH_MIN = 4;
const CODE_LENGTH_MAX = 8;
const NUMERIC_MODES = new Set(["numeric", "tel", "decimal"]);
const TEXT_TYPES = new Set(["text", "tel", "number", "search", "email", "url", "password"]);

const onceSecret = new WeakSet<Element>();

/** A field that was secret once stays so, whatever the page makes of it. */
export const rememberSecret = (element: Element): void => {
  onceSecret.add(element);
};

const spaced = (identifier: string): string =>
  identifier.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_\-.[\]]+/g, " ");

function isOneDigitBox(element: Element): boolean {
  if (attribute(element, "maxlength") !== "1") return false;
  let around = flatParent(element);
  for (let up = 0; up < 3 && around !== null; up += 1, around = flatParent(around)) {
    if (queryAll(around, 'input[maxlength="1"]').length >= ONE_DIGIT_GROUP_MIN) return true;
  }
  return false;
}

function hints(element: Element): string {
  return ["name", "id", "aria-label", "placeholder"].map((name) => spaced(attribute(element, name) ?? "")).join(" \n ");
}

function looksLikeCode(element: Element, words: string): boolean {
  const length = Number(attribute(element, "maxlength") ?? Number.NaN);
  return (
    NUMERIC_MODES.has(attribute(element, "inputmode") ?? "") &&
    length >= CODE_LENGTH_MIN &&
    length <= CODE_LENGTH_MAX &&
    /\bcode\b|\btoken\b/i.test(words) &&
    !OTHER_CODES.test(words)
  );
}

/** Whether a field's value must never leave the page. `label` is the field's visible name, when it is known. */
export function isSecret(element: Element, label = ""): boolean {
  if (onceSecret.has(element)) return true;
  const secret = judgeSecret(element, label);
  if (secret) onceSecret.add(element);
  return secret;
}

function judgeSecret(element: Element, label: string): boolean {
  const input = isTag(element, "input");
  if (!input && !isTag(element, "textarea") && !isEditable(element)) return false;
  if (input && inputType(element) === "password") return true;
  if (SECRET_AUTOCOMPLETE.test((attribute(element, "autocomplete") ?? "").toLowerCase())) return true;
  if (input && !TEXT_TYPES.has(inputType(element))) return false;
  const disc = getComputedStyle(element).getPropertyValue("-webkit-text-security");
  if (disc !== "" && disc !== "none") return true;
  const words = `${hints(element)} \n ${label}`;
  return SECRET_WORDS.test(words) || looksLikeCode(element, words) || isOneDigitBox(element);
}

export const isEditable = (element: Element): boolean =>
  hasAttribute(element, "contenteditable") && element instanceof HTMLElement && isContentEditable(element);

const VALUELESS_TYPES = new Set(["submit", "button", "reset", "image", "checkbox", "radio", "hidden"]);

/** Whether it is a field that a person fills or chooses in. */
export function isField(element: Element): boolean {
  return isTag(element, "input")
    ? inputType(element) !== "hidden"
    : isTag(element, "select") || isTag(element, "textarea") || isEditable(element);
}

/** Raw value of a text-like field, null when it has none to show. */
export function rawValue(element: Element): string | null {
  if (isTag(element, "input")) {
    const type = inputType(element);
    if (VALUELESS_TYPES.has(type)) return null;
    if (type === "file") return Array.from(inputFiles(element) ?? [], (file) => file.name).join(", ");
    return inputValue(element);
  }
  if (isTag(element, "textarea")) return areaValue(element);
  return isEditable(element) ? (textContent(element) ?? "") : null;
}

/** Labels of the chosen options; null when it is not a select. */
export function chosenLabels(element: Element): string[] | null {
  if (!isTag(element, "select")) return null;
  return Array.from(selectOptions(element))
    .filter((option) => optionSelected(option))
    .map((option) => cleanTrimmed(optionLabel(option)));
}

/** Type word of a field as `FieldFacts.type` says it. */
export function fieldType(element: Element): string {
  if (isTag(element, "input")) return inputType(element);
  if (isTag(element, "select")) return "select";
  return isTag(element, "textarea") ? "textarea" : "contenteditable";
}

/** The form that an element sends, with what its own button changes. */
export function formOf(element: Element): { action: string; method: string } | null {
  const form = isTag(element, "input")
    ? inputForm(element)
    : isTag(element, "select")
      ? selectForm(element)
      : isTag(element, "textarea")
        ? areaForm(element)
        : isTag(element, "button")
          ? buttonForm(element)
          : closest(element, "form");
  if (!isTag(form, "form")) return null;
  const sends = sendsForm(element);
  const action = sends ? attribute(element, "formaction") : null;
  const method = sends ? attribute(element, "formmethod") : null;
  // An empty action is the document's own address.
  return {
    action: action !== null && action !== "" ? absolute(action, element) : formAction(form),
    method: (method ?? formMethod(form)).toLowerCase(),
  };
}

/**
 * The button that Enter in a field presses: the first of its form that sends it. Null: there is none, or it is
 * disabled.
 */
export function defaultButtonOf(field: Element): Element | null {
  const form = isTag(field, "input") ? inputForm(field) : closest(field, "form");
  if (!isTag(form, "form")) return null;
  for (const button of queryAll(form, "button, input"))
    if (sendsForm(button)) return matches(button, ":disabled") ? null : button;
  return null;
}

function sendsForm(element: Element): boolean {
  return isTag(element, "button")
    ? buttonType(element) === "submit"
    : isTag(element, "input") && ["submit", "image"].includes(inputType(element));
}

export function absolute(address: string, near: Element): string {
  try {
    return new URL(address, baseUri(near)).href;
  } catch {
    return "";
  }
}

const FIELD_SELECTOR = "input, textarea, [contenteditable]";

/** All fields of the document and of the shadow roots given. */
export function* fieldsIn(roots: Iterable<Document | ShadowRoot>): Generator<Element> {
  for (const root of roots) yield* elementsIn(root, FIELD_SELECTOR);
}
