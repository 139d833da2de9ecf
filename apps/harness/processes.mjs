/** Servers as child processes: started, waited for until they answer, ended by their own id. */

import { spawn } from "node:child_process";
import { createServer } from "node:net";

const START_LIMIT_MS = 60_000;
const END_LIMIT_MS = 5_000;
const LOOKS_EVERY_MS = 100;
const MOST_OUTPUT = 20_000;
const LOOPBACK = "127.0.0.1";

/**
 * What throws does not hold: a file that is not there, a server that does not answer.
 * @param {() => unknown} fact
 */
export async function holds(fact) {
  try {
    return Boolean(await fact());
  } catch {
    return false;
  }
}

/**
 * Asks `fact` until it says yes.
 * @param {() => unknown} fact
 * @param {number} limitMs
 */
export async function until(fact, limitMs) {
  const end = performance.now() + limitMs;
  for (;;) {
    if (await holds(fact)) return true;
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
  }
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, answers: () => unknown }} options `answers`: whether it serves
 * already
 */
export async function startProcess(program, args, { cwd, env = {}, answers }) {
  // A group of its own: servers with workers end whole.
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  let ended = false;
  const keep = (/** @type {Buffer} */ chunk) => {
    output = (output + chunk.toString()).slice(-MOST_OUTPUT);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const over = new Promise((resolve) => {
    child.once("error", (error) => {
      output += error.message;
      ended = true;
      resolve(null);
    });
    child.once("close", () => {
      ended = true;
      resolve(null);
    });
  });
  const stop = async () => {
    if (ended || child.pid === undefined) return;
    process.kill(-child.pid, "SIGTERM");
    const timer = setTimeout(
      () => child.pid !== undefined && !ended && process.kill(-child.pid, "SIGKILL"),
      END_LIMIT_MS,
    );
    await over;
    clearTimeout(timer);
  };
  const serves = await until(async () => ended || (await answers()), START_LIMIT_MS);
  if (!serves || ended) {
    await stop();
    throw new Error(`${program} did not start:\n${output}`);
  }
  return { stop, output: () => output };
}

/** @param {string} url */
export async function serves(url) {
  return (await fetch(url, { redirect: "manual" })).status < 500;
}
