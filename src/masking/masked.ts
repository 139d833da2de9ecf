import type { Masking } from "./masking.ts";

/**
 * The same with every text in it masked, its keys aside. For plain data. Texts at the same place of several entries of
 * a list follow one another: a value may be spread over them.
 */
export function masked<Data>(data: Data, mask: Masking["maskAll"]): Data {
  const places = new Map<string, string[]>();
  walk(data, "", (text, place) => {
    const texts = places.get(place);
    if (texts === undefined) places.set(place, [text]);
    else texts.push(text);
    return text;
  });
  const left = new Map(Array.from(places, ([place, texts]) => [place, mask(texts).values()]));
  return walk(data, "", (_text, place) => left.get(place)?.next().value ?? "") as Data;
}

function walk(data: unknown, place: string, each: (text: string, place: string) => string): unknown {
  if (typeof data === "string") return each(data, place);
  if (Array.isArray(data)) return data.map((item) => walk(item, `${place}/`, each));
  if (typeof data !== "object" || data === null || Object.getPrototypeOf(data) !== Object.prototype) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, walk(value, `${place}.${key}`, each)]));
}
