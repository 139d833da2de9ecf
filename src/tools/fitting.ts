import { tokensAbout } from "../page/snapshot/tokens.ts";

/** The newest of a list, oldest first, that fit into so many tokens. */
export function newestThatFit<T>(
  all: readonly T[],
  maxTokens: number,
): { readonly kept: readonly T[]; readonly tokens: number } {
  let tokens = 0;
  let from = all.length;
  while (from > 0) {
    const next = tokensAbout(JSON.stringify(all[from - 1]));
    if (tokens + next > maxTokens) break;
    tokens += next;
    from -= 1;
  }
  return { kept: all.slice(from), tokens };
}
