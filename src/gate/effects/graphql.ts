/** One operation of a document. */
export interface GraphqlOperation {
  readonly kind: "query" | "mutation" | "subscription";
  /** Empty for one without a name. */
  readonly name: string;
  /** What it asks of the root: field names, not their aliases, fragments followed. */
  readonly fields: readonly string[];
}

const MAX_TOKENS = 50_000;
const MAX_DEPTH = 100;

const IGNORED = /(?:[\s,\uFEFF]|#[^\n\r]*)+/y;
const TOKEN = /\.\.\.|[!$&()=:@[\]{|}]|[_A-Za-z][_0-9A-Za-z]*|-?\d[\d.eE+-]*/y;

type Token = { readonly is: "sign" | "name" | "number" | "string"; readonly text: string };

/**
 * The operations of an executable document, by the grammar of the GraphQL specification: comments, strings, block
 * strings, fragments, several operations. Null for what is not such a document, type definitions included.
 */
export function parseGraphql(text: string): readonly GraphqlOperation[] | null {
  const tokens = tokensOf(text);
  return tokens === null ? null : new Reader(tokens).document();
}

function tokensOf(text: string): readonly Token[] | null {
  const tokens: Token[] = [];
  for (let at = skip(text, 0); at < text.length; at = skip(text, at)) {
    if (tokens.length === MAX_TOKENS) return null;
    if (text[at] === '"') {
      const end = endOfString(text, at);
      if (end === -1) return null;
      tokens.push({ is: "string", text: "" });
      at = end;
      continue;
    }
    TOKEN.lastIndex = at;
    const [found] = TOKEN.exec(text) ?? [];
    if (found === undefined) return null;
    tokens.push({ is: /^[_A-Za-z]/.test(found) ? "name" : /^[-\d]/.test(found) ? "number" : "sign", text: found });
    at += found.length;
  }
  return tokens;
}

function skip(text: string, at: number): number {
  IGNORED.lastIndex = at;
  const [found] = IGNORED.exec(text) ?? [];
  return at + (found?.length ?? 0);
}

/** Where a string or block string ends, its quotes included; -1 when it does not. */
function endOfString(text: string, from: number): number {
  const isBlock = text.startsWith('"""', from);
  for (let at = from + (isBlock ? 3 : 1); at < text.length; at += 1) {
    if (isBlock) {
      if (text.startsWith('\\"""', at)) at += 3;
      else if (text.startsWith('"""', at)) return at + 3;
    } else if (text[at] === "\n" || text[at] === "\r") return -1;
    else if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}

/** What a selection set asks of the type it stands on. */
interface Selection {
  readonly fields: string[];
  readonly spreads: string[];
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #fragments = new Map<string, Selection>();
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  document(): readonly GraphqlOperation[] | null {
    const operations: {
      readonly kind: GraphqlOperation["kind"];
      readonly name: string;
      readonly selection: Selection;
    }[] = [];
    while (this.#at < this.#tokens.length) {
      // A description in front of a definition.
      if (this.#token()?.is === "string") this.#at += 1;
      const isShort = this.#token()?.text === "{" && this.#token()?.is === "sign";
      const word = isShort ? "query" : this.#name();
      if (word === "fragment") {
        if (!this.#fragment()) return null;
      } else if (word === "query" || word === "mutation" || word === "subscription") {
        const name = isShort ? "" : (this.#name() ?? "");
        if (!isShort && (!this.#arguments() || !this.#directives())) return null;
        const selection = this.#selectionSet(0);
        if (selection === null) return null;
        operations.push({ kind: word, name, selection });
      } else return null;
    }
    if (operations.length === 0) return null;
    return operations.map(({ kind, name, selection }) => ({ kind, name, fields: this.#resolved(selection) }));
  }

  #fragment(): boolean {
    const name = this.#name();
    if (name === null || name === "on" || this.#fragments.has(name)) return false;
    if (this.#name() !== "on" || this.#name() === null || !this.#directives()) return false;
    const selection = this.#selectionSet(0);
    if (selection === null) return false;
    this.#fragments.set(name, selection);
    return true;
  }

  #selectionSet(depth: number): Selection | null {
    if (depth > MAX_DEPTH || !this.#sign("{")) return null;
    const found: Selection = { fields: [], spreads: [] };
    do {
      if (!this.#selection(found, depth)) return null;
    } while (!this.#sign("}"));
    return found;
  }

  #selection(found: Selection, depth: number): boolean {
    if (this.#sign("...")) return this.#spread(found, depth);
    const alias = this.#name();
    if (alias === null) return false;
    const field = this.#sign(":") ? this.#name() : alias;
    if (field === null || !this.#arguments() || !this.#directives()) return false;
    found.fields.push(field);
    return this.#token()?.text !== "{" || this.#selectionSet(depth + 1) !== null;
  }

  #spread(found: Selection, depth: number): boolean {
    const name = this.#name();
    if (name !== null && name !== "on") {
      found.spreads.push(name);
      return this.#directives();
    }
    if (name === "on" && this.#name() === null) return false;
    if (!this.#directives()) return false;
    const inner = this.#selectionSet(depth + 1);
    if (inner === null) return false;
    found.fields.push(...inner.fields);
    found.spreads.push(...inner.spreads);
    return true;
  }

  /** Variables or arguments: balanced, what stands in them asks for nothing. */
  #arguments(): boolean {
    return this.#token()?.text !== "(" || this.#balanced();
  }

  #directives(): boolean {
    while (this.#sign("@")) if (this.#name() === null || !this.#arguments()) return false;
    return true;
  }

  #balanced(): boolean {
    const open: string[] = [];
    const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
    for (; this.#at < this.#tokens.length; this.#at += 1) {
      const token = this.#token();
      if (token?.is !== "sign") continue;
      const close = closing[token.text];
      if (close !== undefined) open.push(close);
      else if (")]}".includes(token.text) && open.pop() !== token.text) return false;
      if (open.length === 0) {
        this.#at += 1;
        return true;
      }
    }
    return false;
  }

  #resolved(selection: Selection): readonly string[] {
    const fields = new Set(selection.fields);
    const followed = new Set<string>();
    const todo = [...selection.spreads];
    for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
      if (followed.has(name)) continue;
      followed.add(name);
      const fragment = this.#fragments.get(name);
      for (const field of fragment?.fields ?? []) fields.add(field);
      todo.push(...(fragment?.spreads ?? []));
    }
    return [...fields];
  }

  #token(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #name(): string | null {
    const token = this.#token();
    if (token?.is !== "name") return null;
    this.#at += 1;
    return token.text;
  }

  #sign(text: string): boolean {
    const token = this.#token();
    if (token?.is !== "sign" || token.text !== text) return false;
    this.#at += 1;
    return true;
  }
}
