/** A browser's manners over plain fetch, for the sites' tests: keeps cookies, follows no redirects. */

export interface Visit {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export class Visitor {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  get(path: string, method = "GET"): Promise<Visit> {
    return this.#send(path, { method });
  }

  post(path: string, fields: Record<string, string>): Promise<Visit> {
    return this.#send(path, { method: "POST", body: new URLSearchParams(fields) });
  }

  json(path: string, value: unknown, method = "POST"): Promise<Visit> {
    return this.#send(path, { method, body: JSON.stringify(value), headers: { "content-type": "application/json" } });
  }

  async #send(path: string, init: RequestInit): Promise<Visit> {
    const headers = new Headers(init.headers);
    headers.set("cookie", [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(`${this.#origin}${path}`, { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
      this.#cookies.set(name, value);
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}
