import { describeReach, entryText, redactText, sitesOfText } from "../gate/index.ts";
import { callGuard } from "./calls.ts";
import { Core, type GuardOptions } from "./core.ts";
import { lineOf } from "./entries.ts";
import type { EventGuard, Guard, OperatorGuard } from "./monitor.ts";
import { requestGuard } from "./requests.ts";

/** A page can open dialogs without end. */
const MAX_DIALOG_RECORDS = 500;
const MAX_DIALOG_CHARS = 200;
/** For whoever watches. */
const RECENT_LINES = 20;

export function createGuard(options: GuardOptions): Guard {
  const core = new Core(options);
  return Object.freeze({
    ...callGuard(core),
    ...requestGuard(core),
    ...eventGuard(core),
    ...operatorGuard(core),
    get policy() {
      return core.grants.policy;
    },
  });
}

function eventGuard(core: Core): EventGuard {
  let dialogRecords = 0;
  return {
    saw(event) {
      if (event.kind === "browser_started") core.record({ kind: "browser", version: event.reason });
      if (event.kind !== "dialog" || dialogRecords >= MAX_DIALOG_RECORDS) return;
      dialogRecords++;
      core.record({
        kind: "dialog",
        type: event.type,
        words: redactText(event.message.slice(0, MAX_DIALOG_CHARS)),
        answered: event.answered,
      });
    },
    noticed: (site) => core.sites.makePrivate(site, "signOut"),
    made: (url, location) => core.effects.made(url, location),
  };
}

function operatorGuard(core: Core): Omit<OperatorGuard, "policy"> {
  const { desk, grants, options } = core;
  return {
    addOperatorText(text) {
      try {
        for (const entry of sitesOfText(text, grants.policy.subdomains).sites)
          desk.grant("task", { kind: "reach", entry });
        core.operatorSaid(text);
      } catch {
        core.fault("call");
      }
    },
    describe: () => describeReach(grants.policy, core.isObserving),
    recent: () => options.log.recent().slice(-RECENT_LINES).map(lineOf),
    scope: () => grants.policy.scope.map(entryText),
  };
}
