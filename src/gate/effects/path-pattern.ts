/** Of a segment: `**`, or the decoded pieces between its stars. */
type Segment = "**" | readonly string[];

/** A path in which `*` stands for a part of a segment and `**` for any number of segments. */
export interface PathPattern {
  readonly text: string;
  readonly isExact: boolean;
  readonly segments: readonly Segment[];
}

const MAX_PATTERN_CHARS = 2_000;
/** Servers decode once more, or twice, what came through others. */
const MAX_DECODINGS = 3;

/** Throws by `wrong` where it could match nothing, or not what it seems to say. */
export function pathPattern(text: string, wrong: (why: string) => Error): PathPattern {
  if (!text.startsWith("/")) throw wrong("has a path that does not start with /");
  if (text.length > MAX_PATTERN_CHARS) throw wrong("has a path that is too long");
  if (/[?#\\\s\p{Cc}]/u.test(text)) throw wrong("has more than a path in path");
  const segments = text.slice(1).split("/");
  if (segments.some((segment) => segment.includes("**") && segment !== "**"))
    throw wrong("has ** beside other signs: it stands for whole segments");
  if (segments.some((segment) => segment === "." || segment === ".."))
    throw wrong("has . or .. in its path, which no request has");
  return {
    text,
    isExact: !text.includes("*"),
    segments: segments.map((segment) => (segment === "**" ? segment : segment.split("*").map(decoded))),
  };
}

/**
 * Compared decoded. An encoded slash never parts segments, and what might stand for other segments is matched by no
 * wildcard.
 */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  return path.startsWith("/") && matchesSegments(pattern.segments, path.slice(1).split("/"));
}

/** Whether a segment of a path is one to whoever reads it: `..%2fadmin` or `..;` may lead elsewhere. */
export function isOneSegment(segment: string): boolean {
  let text = segment;
  for (let round = 0; ; round += 1) {
    if (/[/\\\p{Cc}]/u.test(text) || /^\.\.?(?:;|$)/.test(text)) return false;
    const next = decoded(text);
    if (next === text) return true;
    // Whoever encodes as often as that hides something.
    if (round === MAX_DECODINGS) return false;
    text = next;
  }
}

/** What spells UTF-8 is decoded, the rest stays: bytes of ASCII beside it are decoded all the same. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-7][\da-f])+|(?:%[89a-f][\da-f])+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

/** Goes back to the last ** only: what an earlier one took more of, that one could take as well. */
function matchesSegments(pattern: readonly Segment[], segments: readonly string[]): boolean {
  let at = 0;
  let from = 0;
  let again: { readonly at: number; from: number } | null = null;
  while (from < segments.length) {
    const wanted = pattern[at];
    if (wanted === "**") {
      at += 1;
      again = { at, from };
    } else if (wanted !== undefined && matchesSegment(wanted, segments[from] ?? "")) {
      at += 1;
      from += 1;
    } else if (again !== null && isOneSegment(segments[again.from] ?? "")) {
      again.from += 1;
      at = again.at;
      from = again.from;
    } else return false;
  }
  return pattern.slice(at).every((rest) => rest === "**");
}

function matchesSegment(pieces: readonly string[], encoded: string): boolean {
  const segment = decoded(encoded);
  const first = pieces[0] ?? "";
  if (pieces.length === 1) return first === segment;
  const last = pieces.at(-1) ?? "";
  if (
    !isOneSegment(encoded) ||
    segment.length < first.length + last.length ||
    !segment.startsWith(first) ||
    !segment.endsWith(last)
  )
    return false;
  const end = segment.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = segment.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
