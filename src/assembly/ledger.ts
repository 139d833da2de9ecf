import { homedir } from "node:os";
import { join } from "node:path";
import { type Config, ownStateDirectory, packageVersion } from "../config/index.ts";

/** Where the ledger of a session lies, what signs it, and what its first line says. */
export function ledgerOf(config: Config, sessionId: string) {
  const state = ownStateDirectory({ platform: process.platform, homedir: homedir(), env: process.env });
  const { browser } = config;
  return {
    file: config.ledger.file ?? join(state, "ledgers", `${sessionId}.jsonl`),
    keyDirectory: join(state, "keys"),
    keepValues: config.ledger.values,
    about: {
      program: `chaperone ${packageVersion()}`,
      policy: config,
      task: config.task ?? null,
      // Addresses of browsers and proxies may hold a password: that there is one must do.
      exemptions: {
        hostMap: config.hostMap,
        private: config.private,
        profile: config.profile,
        tools: config.tools,
        sandbox: browser.sandbox,
        attached: browser.cdpUrl !== undefined,
        proxy: browser.proxy !== undefined,
        ca: browser.ca !== undefined,
        values: config.ledger.values,
      },
    },
  };
}
