/** Takes out of page words what no person sees: controls, tags, fillers, stray joiners; folds white space. */

const PLAIN =
  /^(?:[!-~\u00A1-\u00AC\u00AE-\u02FF\u0400-\u0482\u048A-\u052F\u3040-\u30FF\u4E00-\u9FFF\uAC00-\uD7A3]| (?! ))*$/;
const WHITE = /[\s\u0085\u180E]+/g;
const CONTROL = /\p{Cc}+/gu;
const UNSEEN =
  /[\p{Cs}\p{Co}\p{Cn}\u{E0000}-\u{E0FFF}\u00AD\u061C\u115F\u1160\u17B4\u17B5\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}]+|\u034F+/gu;
const JOINING =
  "\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Thaana}\\p{Script=Nko}";
// One joiner, between two signs that join.
const STRAY_JOINER = new RegExp(
  `(?<![${JOINING}])\\u200C|\\u200C(?![${JOINING}])|(?<![${JOINING}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D|\\u200D(?![${JOINING}\\p{Extended_Pictographic}])`,
  "gu",
);
const STRAY_SELECTOR =
  /(?<!\p{Extended_Pictographic}|[\p{So}\p{Sm}])[\uFE0E\uFE0F](?!\u20E3)|[\uFE00-\uFE0D]|(?<!\p{Script=Mongolian})[\u180B-\u180D\u180F]/gu;
const PILED_MARKS = /([\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]+/gu;

/** Keeps one space at either end when there was white space, so that runs can be joined. */
export function clean(raw: string): string {
  if (PLAIN.test(raw)) return raw;
  return raw
    .replace(UNSEEN, "")
    .replace(WHITE, " ")
    .replace(CONTROL, " ")
    .replace(STRAY_SELECTOR, "")
    .replace(STRAY_JOINER, "")
    .replace(PILED_MARKS, "$1")
    .replace(/ {2,}/g, " ");
}

export const cleanTrimmed = (raw: string): string => clean(raw).trim();

/** For comparing words: compatibility forms, case kept. */
export const fold = (words: string): string => clean(words.normalize("NFKC")).trim();

/** Cut by whole code points, with a sign that it was cut. */
export function cut(words: string, limit: number): string {
  if (words.length <= limit) return words;
  const end = words.charCodeAt(limit - 1) >= 0xd800 && words.charCodeAt(limit - 1) <= 0xdbff ? limit - 1 : limit;
  return `${words.slice(0, end)}…`;
}
