/**
 * A program that launches and then waits, to be killed by a test. Says "starting", then the pid and the version, or the
 * failure.
 */
import { Failure } from "../errors.ts";
import { launchBrowser } from "./launch.ts";

process.stdout.write("starting\n");
try {
  const { pid, version } = await launchBrowser();
  process.stdout.write(`${JSON.stringify({ pid, version })}\n`);
} catch (error) {
  process.stdout.write(
    `${JSON.stringify(Failure.is(error) ? { code: error.code, message: error.message } : { message: String(error) })}\n`,
  );
}
