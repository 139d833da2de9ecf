/** The name without places in lists: `items[3].id` is `items[].id`. */
export function fieldKind(name: string): string {
  return name.replace(/\[\d+\]/g, "[]");
}

/** The last key of a path through JSON or through brackets, in lower case without punctuation. */
export function lastKey(name: string): string {
  if (PLAIN_KEY.test(name)) return name;
  const [last = ""] = /[^.[\]"]+(?=[\]"\d[]*$)/.exec(name.slice(-200)) ?? [];
  return last.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

const PLAIN_KEY = /^[a-z][a-z\d]{0,199}$/;
