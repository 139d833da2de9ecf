import { ensureBrowser } from "../browser/install.ts";
import type { Config } from "../config/index.ts";
import type { Io } from "./command.ts";
import { EXIT } from "./exit.ts";

/** Says which browser is there, installs one where the platform allows it, or says the line to run. */
export async function run(config: Config, io: Io): Promise<number> {
  const { path } = config.browser;
  const outcome = await ensureBrowser({
    ...(path !== undefined && { path }),
    say: (line) => void io.stderr.write(`chaperone: ${line}\n`),
  });
  if ("missing" in outcome) {
    io.stderr.write(`chaperone: ${outcome.missing}\n`);
    return EXIT.noBrowser;
  }
  io.stdout.write(
    `${outcome.installed ? "installed" : "there already"}: ${outcome.found.path} (${outcome.found.source})\n`,
  );
  return EXIT.done;
}
