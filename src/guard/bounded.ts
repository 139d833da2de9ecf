/** Adds to a map that forgets its oldest entry beyond `max`. */
export function keep<Key, Value>(known: Map<Key, Value>, key: Key, value: Value, max: number): void {
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > max && oldest !== undefined) known.delete(oldest);
}

/** The same for a set. */
export function remember<Key>(known: Set<Key>, key: Key, max: number): void {
  known.add(key);
  const [oldest] = known;
  if (known.size > max && oldest !== undefined) known.delete(oldest);
}
