/** The value of a header whatever its name's case; null when it is not there. */
export function headerOf(headers: Readonly<Record<string, string>>, name: string): string | null {
  for (const [key, value] of Object.entries(headers)) if (key.toLowerCase() === name) return value;
  return null;
}
