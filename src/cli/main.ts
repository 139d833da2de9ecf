import { packageVersion } from "../config/version.ts";
import type { Command, Io } from "./command.ts";

/**
 * The command line without `node` and script name. Resolves with the exit code and never rejects; the caller sets
 * `process.exitCode`. What is wrong is one line on stderr.
 */
export async function main(argv: readonly string[], io: Io = processIo(), known?: readonly Command[]): Promise<number> {
  // Before anything else is loaded, so that it is instant.
  if (argv.length === 1 && argv[0] === "--version") {
    io.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  const [{ loadConfig }, { parseArguments }, { exitCodeOf }, { commands }] = await Promise.all([
    import("../config/index.ts"),
    import("./options.ts"),
    import("./exit.ts"),
    import("./commands.ts"),
  ]);
  try {
    const understood = parseArguments(argv, known ?? commands, packageVersion(), io);
    if ("said" in understood) return understood.said;
    const { command, given, flags, configFile } = understood;
    const start = command.prepare(given);
    const { config, notes, sources } = loadConfig({
      face: command.face,
      flags,
      env: io.env,
      ...(configFile === null ? {} : { configFile }),
    });
    for (const note of notes) say(io, note);
    return await start(config, io, sources);
  } catch (error) {
    say(io, error instanceof Error ? error.message : String(error));
    return exitCodeOf(error);
  }
}

function processIo(): Io {
  // Whoever reads us may stop reading (`chaperone demo | head`): then there is nothing more to say.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  return { stdout: process.stdout, stderr: process.stderr, env: process.env };
}

function say(io: Io, line: string): void {
  io.stderr.write(`chaperone: ${line.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ")}\n`);
}
