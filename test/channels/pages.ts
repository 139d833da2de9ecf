/** What a channel is, and the pages they are made of. */

export interface ChannelFile {
  readonly type: string;
  readonly body: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Channel {
  readonly name: string;
  /**
   * The page at `/`. It sets its title to "fired" when it has tried (a page that leaves for its own `/next.html` is
   * "fired" there).
   */
  page(target: string): string;
  /** Headers of the page. */
  readonly headers?: (target: string) => Record<string, string>;
  /** Other paths of the page's own origin. */
  readonly files?: (target: string) => Record<string, ChannelFile>;
  /** Fires when the one button or link named "Go" (`#go`) is clicked. */
  readonly needs?: "click";
  /** Role of "Go"; default button. */
  readonly role?: "link";
  /** Never pauses at Chromium's request interception: only the proxy or launch settings can stop it. */
  readonly uninterceptable?: true;
  /** Arrives as a bare connection, not as a request. */
  readonly arrives?: "connection";
}

export const FIRED = `document.title = "fired";`;

export function page(markup: string, script = FIRED): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>ready</title><link rel="icon" href="data:,"></head><body><h1>Channel</h1>${markup}<script>${script}</script></body></html>`;
}

/** A page that runs the script once loaded, then says so; also where the browser does not have what it would use. */
export function loaded(script: string, markup = ""): string {
  return page(markup, `addEventListener("load", async () => { try { ${script}; } finally { ${FIRED} } });`);
}

/** A page that runs the script when "Go" is pressed. */
export function pressed(script: string, markup = ""): string {
  return page(
    `<button id="go">Go</button>${markup}`,
    `document.querySelector("#go").addEventListener("click", async () => { try { ${script}; } finally { ${FIRED} } });`,
  );
}

/** A page whose "Go" is a link or a form's button: the markup does the work, the script only says that it was tried. */
export function clicked(markup: string): string {
  return page(markup, `document.querySelector("#go").addEventListener("click", () => { ${FIRED} });`);
}

/** A page with markup of which the parser itself asks for the target. */
export function marked(markup: string): string {
  return page(markup);
}

export const text = (value: string) => JSON.stringify(value).replaceAll("<", "\\u003c");
export const attribute = (value: string) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
export const script = (body: string): ChannelFile => ({ type: "text/javascript", body });
export const document = (body: string): ChannelFile => ({
  type: "text/html",
  body: `<!doctype html><title>inner</title>${body}`,
});
export const redirect = (status: 302 | 307, location: string): ChannelFile => ({
  type: "text/plain",
  body: "",
  status,
  headers: { location },
});
export const nextPage = (): ChannelFile => ({
  type: "text/html",
  body: `<!doctype html><title>fired</title><link rel="icon" href="data:,"><p>next</p>`,
});

export const sendsOnLeaving = (target: string, how: "beacon" | "keepalive") =>
  `addEventListener("pagehide", () => { ${how === "beacon" ? `navigator.sendBeacon(${text(target)}, "closing")` : `fetch(${text(target)}, { method: "POST", body: "closing", keepalive: true, mode: "no-cors" })`}; });`;
