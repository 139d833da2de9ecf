/** One named value of a body, as it stands there: names may come twice. */
export interface BodyField {
  readonly name: string;
  readonly value: string;
}

/** A part whose content is not looked at. */
export interface BodyFile {
  readonly name: string;
  readonly filename: string;
  readonly bytes: number;
}

/** What is known of a request's body. */
export interface BodyParts {
  /** `opaque`: cannot be inspected, only its size is known. */
  readonly kind: "none" | "fields" | "text" | "opaque";
  /**
   * In their order, names that come twice included. JSON is flattened: `a.b[0]`, a key that is no plain word in quotes.
   */
  readonly fields: readonly BodyField[];
  readonly files: readonly BodyFile[];
  /** Of kind `text` only; cut at `MAX_READ_BYTES`, then `whole` is false. */
  readonly text: string;
  /** Size of the body, of an unknown one as much of it as is known. */
  readonly bytes: number;
  /** SHA-256 of the exact bytes in hex; null where there are none or they are not all known. */
  readonly digest: string | null;
  /** Everything that the body says stands in `fields` or `text`. False for opaque ones, files and cut text. */
  readonly whole: boolean;
}

/** Bodies beyond this are not parsed, in bytes; files inside of a form do not count. */
export const MAX_READ_BYTES = 1_048_576;
/** Bodies with more fields are not shown as fields. */
export const MAX_FIELDS = 2_000;

/** What a parser of one format found; null: the bytes are not what they claim to be, or too much. */
export type Parsed = { readonly fields: readonly BodyField[]; readonly files: readonly BodyFile[] } | null;

/** The text of UTF-8 bytes, a byte order mark kept; null when they are not UTF-8 or contain NUL. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
