/**
 * Stands in front of an application on loopback, passes everything on as it is and writes down what arrives: the only
 * witness of what left the browser.
 */

import { createServer, request } from "node:http";
import { connect } from "node:net";
import { fieldsOf } from "./fields.mjs";

const LARGEST_KEPT_BYTES = 65_536;
const LOOPBACK = "127.0.0.1";

/**
 * @typedef {object} Seen
 * @property {string} step what the model was doing when it arrived
 * @property {number} atMs since the recorder began
 * @property {string} method
 * @property {string} path with its query
 * @property {string} kind `Sec-Fetch-Dest` and `Sec-Fetch-Mode`
 * @property {string} type of the body, "" without one
 * @property {Record<string, string>} headers those that the application adds by itself
 * @property {Record<string, string>} fields names and values, cut
 * @property {number} bytes
 * @property {number | null} status null until it is answered
 */

/** Of every browser's request: they say nothing of an application. */
const ORDINARY = new Set(
  `host connection content-length content-type cache-control pragma user-agent accept accept-encoding accept-language cookie origin referer upgrade
  upgrade-insecure-requests if-none-match if-modified-since priority dnt sec-gpc sec-websocket-key sec-websocket-version sec-websocket-extensions`.split(
    /\s+/,
  ),
);

/**
 * @param {number} publicPort where the browser comes
 * @param {number} port where the application listens
 */
export async function startRecorder(publicPort, port) {
  const started = performance.now();
  /** @type {Seen[]} */
  const seen = [];
  let step = "";
  let lastMs = 0;

  /** @param {import("node:http").IncomingMessage} incoming */
  const note = (incoming) => {
    const { method = "", url = "", headers } = incoming;
    lastMs = performance.now() - started;
    /** @type {Seen} */
    const one = {
      step,
      atMs: Math.round(lastMs),
      method,
      path: url,
      kind: `${headers["sec-fetch-dest"] ?? ""} ${headers["sec-fetch-mode"] ?? ""}`.trim(),
      type: headers["content-type"] ?? "",
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) => (isOwn(name) ? [[name, String(value)]] : [])),
      ),
      fields: {},
      bytes: 0,
      status: null,
    };
    seen.push(one);
    return one;
  };

  const server = createServer((incoming, answer) => {
    const one = note(incoming);
    answer.on("close", () => {
      lastMs = performance.now() - started;
    });
    /** @type {Buffer[]} */
    const kept = [];
    incoming.on("data", (chunk) => {
      one.bytes += chunk.length;
      if (one.bytes <= LARGEST_KEPT_BYTES) kept.push(chunk);
    });
    incoming.on("end", () => {
      one.fields = fieldsOf(one.type, Buffer.concat(kept).toString("utf8"));
    });
    const outgoing = request(
      { host: LOOPBACK, port, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (response) => {
        one.status = response.statusCode ?? null;
        answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
        response.pipe(answer);
      },
    );
    outgoing.on("error", () => answer.destroy());
    answer.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.on("upgrade", (incoming, socket, head) => {
    const one = note(incoming);
    one.kind = "websocket";
    const through = connect(port, LOOPBACK, () => {
      const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
      for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2)
        lines.push(`${incoming.rawHeaders[index]}: ${incoming.rawHeaders[index + 1]}`);
      through.write(`${lines.join("\r\n")}\r\n\r\n`);
      through.write(head);
      through.pipe(socket).pipe(through);
    });
    through.once("data", (chunk) => {
      one.status = Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString("latin1"))?.[1] ?? 0);
    });
    for (const [end, other] of [
      [through, socket],
      [socket, through],
    ]) {
      end.on("error", () => other.destroy());
      end.on("close", () => other.destroy());
    }
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(publicPort, LOOPBACK, () => resolve(null));
  });

  return {
    seen,
    url: `http://${LOOPBACK}:${publicPort}`,
    /** @param {string} name */
    begin(name) {
      step = name;
    },
    /** Milliseconds since something arrived or was answered; a long poll that hangs is quiet. */
    quietMs: () => performance.now() - started - lastMs,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve(null));
        server.closeAllConnections();
      }),
  };
}

/** @param {string} name */
function isOwn(name) {
  return !ORDINARY.has(name) && !name.startsWith("sec-fetch-") && !name.startsWith("sec-ch-");
}
