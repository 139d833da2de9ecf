const BITS = 8;
const FIRST_BYTES = 1_024;
const MAX_NUMBER = 100_000_000;
const MAX_NAMES = 100_000;
const NUMBERED = /^c([1-9]\d{0,8})$/;

/** Which calls were allowed. Ours are numbered (`c1`, `c2`, …), so a million of them take little. */
export class CallSet {
  readonly #names = new Set<string>();
  #bits = new Uint8Array(FIRST_BYTES);

  /** False when there is no more room. */
  add(call: string): boolean {
    const number = numberOf(call);
    if (number === null) return this.#names.size < MAX_NAMES && this.#names.add(call).size > 0;
    const index = Math.floor(number / BITS);
    if (index >= this.#bits.length) {
      const grown = new Uint8Array(2 ** Math.ceil(Math.log2(index + 1)));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[index] = (this.#bits[index] ?? 0) | (1 << (number % BITS));
    return true;
  }

  has(call: string): boolean {
    const number = numberOf(call);
    return number === null
      ? this.#names.has(call)
      : ((this.#bits[Math.floor(number / BITS)] ?? 0) & (1 << (number % BITS))) !== 0;
  }
}

function numberOf(call: string): number | null {
  const digits = NUMBERED.exec(call)?.[1];
  const number = digits === undefined ? Number.NaN : Number(digits);
  return number <= MAX_NUMBER ? number : null;
}
