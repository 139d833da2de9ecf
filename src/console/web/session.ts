import type { Told } from "../shape.ts";

/** What the cookie alone does not prove; the page that opened the console left it here. */
const token = sessionStorage.getItem("token") ?? "";
const TOKEN_HEADER = "x-chaperone-token";
const FORBIDDEN = 403;

export function post(path: string, body: object): Promise<Response> {
  return fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", [TOKEN_HEADER]: token },
    body: JSON.stringify(body),
  });
}

/** The session as it changes; ends with what is to be said. Rejects when the connection breaks. */
export async function watch(
  connected: () => void,
  told: (line: Exclude<Told, { readonly ended: true }>) => void,
): Promise<string> {
  const response = await fetch("/state", { headers: { [TOKEN_HEADER]: token } });
  if (response.status === FORBIDDEN) return "This page is not signed in. Run chaperone console again.";
  if (!response.ok || response.body === null) throw new Error("busy");
  connected();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error("ended");
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      // Our own server's words, which only this cookie and token get.
      const now = JSON.parse(line) as Told;
      if ("ended" in now) return "The session has ended.";
      told(now);
    }
  }
}
