/** RFC 3492: the parameters of Punycode for host names. */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE = 128;
const LARGEST_CODE = 0x10ffff;

/** A canonical host with its `xn--` labels as people read them. A label that does not decode stays as it is. */
export function toUnicodeHost(host: string): string {
  return host
    .split(".")
    .map((label) => (label.startsWith("xn--") ? (decode(label.slice(4)) ?? label) : label))
    .join(".");
}

function decode(text: string): string | null {
  const end = text.lastIndexOf("-");
  const output: number[] = end > 0 ? [...text.slice(0, end)].map((char) => char.charCodeAt(0)) : [];
  let code = INITIAL_CODE;
  let bias = INITIAL_BIAS;
  let index = 0;
  let at = end > 0 ? end + 1 : 0;
  while (at < text.length) {
    const before = index;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(text.charCodeAt(at++));
      if (digit === null) return null;
      index += digit * weight;
      const threshold = k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapted(index - before, length, before === 0);
    code += Math.floor(index / length);
    if (code > LARGEST_CODE || (code >= 0xd800 && code <= 0xdfff)) return null;
    index %= length;
    output.splice(index++, 0, code);
  }
  return String.fromCodePoint(...output);
}

function digitOf(char: number): number | null {
  if (char >= 0x30 && char <= 0x39) return char - 0x30 + 26;
  if (char >= 0x61 && char <= 0x7a) return char - 0x61;
  return null;
}

function adapted(delta: number, length: number, isFirst: boolean): number {
  let left = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  left += Math.floor(left / length);
  let k = 0;
  for (; left > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) left = Math.floor(left / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * left) / (left + SKEW));
}
