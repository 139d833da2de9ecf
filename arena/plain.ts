import { createHash, X509Certificate } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { chromiumProgram } from "../test/chromium-program.ts";

/** Chromium with nothing of ours in its way, in a profile, since only there it preconnects. */
export interface Plain {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

export interface PlainOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `127.0.0.1:port` by host name. */
  readonly hostMap?: Readonly<Record<string, string>>;
  /** Digest of a public key whose certificates it takes. */
  readonly trustedKey?: string;
}

export async function startPlain({ args = [], env, hostMap = {}, trustedKey }: PlainOptions): Promise<Plain> {
  const directory = await mkdtemp(join(tmpdir(), "arena-"));
  const mapped = Object.entries(hostMap).map(([name, place]) => `MAP ${name} ${place},MAP ${name}. ${place}`);
  const context = await chromium.launchPersistentContext(directory, {
    executablePath: chromiumProgram(),
    args: [
      "--no-sandbox",
      ...(mapped.length > 0 ? [`--host-resolver-rules=${mapped.join(",")}`] : []),
      ...(trustedKey === undefined ? [] : [`--ignore-certificate-errors-spki-list=${trustedKey}`]),
      ...args,
    ],
    ...(env && { env: { ...process.env, ...env } }),
    ignoreDefaultArgs: ["--disable-popup-blocking"],
  });
  return {
    context,
    close: async () => {
      await context.close();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** One that starts when it is first needed: where all outcomes are on record, none does. */
export function plainWhenNeeded(options: () => PlainOptions | Promise<PlainOptions>): {
  readonly context: () => Promise<BrowserContext>;
  close(): Promise<void>;
} {
  let plain: Promise<Plain> | undefined;
  return {
    context: async () => {
      plain ??= Promise.resolve(options()).then(startPlain);
      return (await plain).context;
    },
    close: async () => {
      await (await plain)?.close();
    },
  };
}

/** Digest of a certificate's public key, for `trustedKey`. */
export function keyOf(pem: string): string {
  return createHash("sha256")
    .update(new X509Certificate(pem).publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");
}
