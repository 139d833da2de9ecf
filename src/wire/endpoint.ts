import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

/** What the browser tells of itself there is under 1 KB. */
const LARGEST_ANSWER_BYTES = 65_536;
const OK = 200;

/**
 * The WebSocket address of a DevTools endpoint. ws and wss addresses are taken as they are; an http or https one is
 * asked for it. Only path and query of its answer are used: nobody is sent to another host. Rejects when there is none;
 * what it rejects with may quote the address.
 */
export async function socketAddressOf(endpoint: string, signal: AbortSignal): Promise<URL> {
  const given = new URL(endpoint);
  if (given.protocol === "ws:" || given.protocol === "wss:") return given;
  const version = new URL(given);
  version.pathname = `${given.pathname.replace(/\/+$/, "")}/json/version`;
  const told = pathTold(await answerOf(version, signal));
  const address = new URL(given);
  address.protocol = given.protocol === "https:" ? "wss:" : "ws:";
  address.pathname = told.pathname;
  address.search = told.search;
  return address;
}

function pathTold(text: string): URL {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== "object" || answer === null || !("webSocketDebuggerUrl" in answer))
    throw new Error("no browser answered");
  return new URL(String(answer.webSocketDebuggerUrl));
}

function answerOf(url: URL, signal: AbortSignal): Promise<string> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, { signal, agent: false }, (response) => {
      if (response.statusCode !== OK) {
        request.destroy(new Error("no browser answered"));
        return;
      }
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
        if (text.length > LARGEST_ANSWER_BYTES) request.destroy(new Error("the answer is too long"));
      });
      response.on("end", () => resolve(text));
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end();
  });
}
