import { type Config, parseUpstream } from "../config/index.ts";
import type { Check } from "./check.ts";
import type { ConfigSources, DoctorArgs, Io } from "./command.ts";
import {
  attachedChecks,
  checkConfiguration,
  checkFound,
  checkLedger,
  checkNode,
  checkProxy,
  checkStart,
} from "./doctor-checks.ts";
import { checkUpstream } from "./doctor-upstream.ts";
import { EXIT } from "./exit.ts";

/**
 * Looks at all that a session needs, one line each; 0 when all is well, with or without warnings, 5 without a browser,
 * else 1.
 */
export async function run(config: Config, { json }: DoctorArgs, io: Io, sources: ConfigSources): Promise<number> {
  const checks: Check[] = [];
  const say = (check: Check): void => {
    checks.push(check);
    if (!json) io.stdout.write(`${lineOf(check)}\n`);
  };
  say(checkNode());
  say(checkConfiguration(sources));
  say(await checkLedger(config, io.env));
  const upstream = config.browser.proxy === undefined ? null : parseUpstream(config.browser.proxy);
  if (upstream !== null) say(await checkUpstream(upstream));
  const hasBrowser = config.browser.cdpUrl === undefined ? await lookAtOwn(config, say) : true;
  if (config.browser.cdpUrl !== undefined) attachedChecks.forEach(say);
  const ok = checks.every((check) => check.ok);
  if (json) io.stdout.write(`${JSON.stringify({ ok, checks })}\n`);
  if (!hasBrowser) return EXIT.noBrowser;
  return ok ? EXIT.done : EXIT.failed;
}

/** False when there is no browser to look at. */
async function lookAtOwn(config: Config, say: (check: Check) => void): Promise<boolean> {
  const found = await checkFound(config);
  say(found);
  const proxy = await checkProxy();
  say(proxy);
  if (found.ok && proxy.ok) (await checkStart(config)).forEach(say);
  return found.ok;
}

/** What is well but could be better is a warning. */
function lineOf({ name, ok, says, mend }: Check): string {
  const mark = !ok ? "!!" : mend === null ? "ok" : "warn";
  const line = `${mark} ${name}: ${says}${mend === null ? "" : ` → ${mend}`}`;
  return line.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ");
}
