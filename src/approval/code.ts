/** Nothing that looks like another sign (0 O, 1 I L, 2 Z, 5 S, 6 G, 8 B, U V), no vowels, so no words. */
const SIGNS = "CDFHJKMNPRTWXY3479";
const CODE_CHARS = 4;

/**
 * What a person types to show that the question was read; it guards against haste, not against guessing. `random`: a
 * whole number, `to` excluded, as `randomInt`.
 */
export function newCode(random: (from: number, to: number) => number): string {
  return Array.from({ length: CODE_CHARS }, () => SIGNS.charAt(random(0, SIGNS.length))).join("");
}

/** Case and blanks around it do not matter. */
export function isCode(typed: string, code: string): boolean {
  return typed.trim().toUpperCase() === code.toUpperCase();
}
