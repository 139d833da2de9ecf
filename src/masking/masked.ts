/** The same with every text in it masked, its keys aside. For plain data. */
export function masked<Data>(data: Data, mask: (text: string) => string): Data {
  return walk(data, mask) as Data;
}

function walk(data: unknown, mask: (text: string) => string): unknown {
  if (typeof data === "string") return mask(data);
  if (Array.isArray(data)) return data.map((each) => walk(each, mask));
  if (typeof data !== "object" || data === null || Object.getPrototypeOf(data) !== Object.prototype) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, walk(value, mask)]));
}
