import { allowInFile } from "../config/index.ts";
import type { AllowArgs, Run } from "./command.ts";
import { EXIT } from "./exit.ts";

/** Adds a site to the user's configuration file. */
export const run: Run<AllowArgs> = async (_config, args, io) => {
  const { file, did, site, allow } = allowInFile(args.site, { configFile: args.configFile, env: io.env });
  io.stdout.write(
    did === "there"
      ? `${site} is in scope already, by ${file}\n`
      : `${site} is in scope now: ${did === "created" ? "made" : "added to"} ${file}\n`,
  );
  if (did !== "there" && allow.length === 1)
    io.stdout.write("Sessions no longer take the first site they open into scope: they have a list now.\n");
  return EXIT.done;
};
