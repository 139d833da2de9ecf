/** Every word of a session is set as text, never as HTML. */

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = "",
  text = "",
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className !== "") element.className = className;
  if (text !== "") element.textContent = text;
  return element;
}

/** Sets it where it is another one: reading aids read what changes. */
export function say(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function linesOf(lines: readonly string[]): HTMLElement {
  const box = make("div", "lines");
  for (const line of lines) box.append(make("div", "line", line));
  return box;
}

/** An element of the page's own markup (`console/page.ts`). */
export function at(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element;
}

/** The same where it must be of a kind. */
export function atAs<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = at(id);
  if (!(element instanceof kind)) throw new Error(`${id} is another element`);
  return element;
}
