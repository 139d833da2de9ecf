/** Approximate token counts without a tokenizer: meant to err upward, by little. */

const PIECES =
  /[A-Za-z\u00C0-\u024F]+|\d+|[\u0370-\u1FFF]+|[\u3000-\u9FFF\uAC00-\uD7FF\uF900-\uFAFF]|\s+|[^\sA-Za-z\d\u00C0-\u1FFF\u3000-\u9FFF\uAC00-\uD7FF\uF900-\uFAFF]+/gu;
const LETTERS_A_WORD = 10;
const LETTERS_A_PART = 5;
const DIGITS_A_TOKEN = 3;
const MARKS_A_TOKEN = 2.2;
const LETTERS_A_TOKEN_ELSEWHERE = 2.4;
const CJK_TOKENS = 0.95;

const LETTERS_A_WORD_ELSEWHERE = 6;
const LETTERS_A_PART_ELSEWHERE = 3.5;
const ACCENTED = /[\u00C0-\u024F]/;

function costOf(piece: string, english: boolean): number {
  const code = piece.charCodeAt(0);
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122) || (code >= 0xc0 && code <= 0x24f)) {
    if (!english && (piece.length > LETTERS_A_WORD_ELSEWHERE || ACCENTED.test(piece)))
      return Math.max(1, piece.length / LETTERS_A_PART_ELSEWHERE);
    return piece.length <= LETTERS_A_WORD
      ? 1 + (/[a-z][A-Z]|^[A-Z]{4}/.test(piece) ? 1 : 0)
      : piece.length / LETTERS_A_PART;
  }
  if (code >= 48 && code <= 57) return Math.ceil(piece.length / DIGITS_A_TOKEN);
  // One space belongs to the word after it.
  if (piece.trim() === "") return piece.includes("\n") || piece.length > 1 ? 1 : 0;
  if (code >= 0x370 && code <= 0x1fff) return piece.length / LETTERS_A_TOKEN_ELSEWHERE;
  if (code >= 0x3000 && code <= 0xd7ff) return CJK_TOKENS;
  if (code > 0x2fff) return piece.length * 1.5;
  return Math.ceil(piece.length / MARKS_A_TOKEN);
}

const ACCENTS = /[\u00C0-\u024F]/g;
/** A name with an accent does not make a page foreign. */
const ENGLISH_LETTERS_AN_ACCENT = 100;

/** About how many o200k tokens a text takes. */
export function tokensAbout(text: string): number {
  let total = 0;
  const english = (text.match(ACCENTS)?.length ?? 0) * ENGLISH_LETTERS_AN_ACCENT < text.length;
  for (const [piece] of text.matchAll(PIECES)) total += costOf(piece, english);
  return Math.ceil(total);
}
