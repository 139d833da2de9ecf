import { Command as CommanderCommand, CommanderError, Option } from "commander";
import { ConfigError, type Entry, type FlagValues, type KeyPath, keysOf } from "../config/index.ts";
import type { Command, Given, Io } from "./command.ts";
import { EXIT, type ExitCode, exitCodes } from "./exit.ts";

const CONFIG_NAME = "--config";

/** A command line, understood but for the values of configuration keys. */
export interface Understood {
  readonly command: Command;
  readonly given: Given;
  readonly flags: FlagValues;
  readonly configFile: string | null;
}

/**
 * Either a command to run, or help was printed and that was all. Throws ConfigError for what is unknown, missing or too
 * much.
 */
export function parseArguments(
  argv: readonly string[],
  commands: readonly Command[],
  version: string,
  io: Io,
): Understood | { readonly said: ExitCode } {
  let understood: Understood | null = null;
  const program = programFor(version, io);
  for (const command of commands) addCommand(program, command, (result) => (understood = result));
  if (argv.length === 0) {
    io.stderr.write(program.helpInformation());
    return { said: EXIT.wrongUse };
  }
  try {
    program.parse(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { said: EXIT.done };
    throw new ConfigError(problemOf(error, argv, commands));
  }
  return understood ?? { said: EXIT.done };
}

function programFor(version: string, io: Io): CommanderCommand {
  return (
    new CommanderCommand("chaperone")
      .description("A real browser for AI agents, guarded by code outside the model.")
      .version(version, "--version", "prints the version")
      .helpOption("-h, --help", "prints this")
      .helpCommand("help [command]", "prints the options of a command")
      .addHelpText("after", `\nExit codes:\n${exitCodes.map(({ code, means }) => `  ${code}  ${means}`).join("\n")}`)
      // Errors are thrown and printed once, as one line, by main.
      .configureOutput({ writeOut: (text) => void io.stdout.write(text), writeErr: () => {}, outputError: () => {} })
      .exitOverride()
  );
}

function addCommand(program: CommanderCommand, command: Command, done: (understood: Understood) => void): void {
  const keys = keysOf(command.face);
  const parsed = program.command(command.name).description(command.does);
  for (const word of command.words) parsed.argument(`<${word}>`);
  for (const own of command.options) parsed.addOption(optionOf(own.name, own.argument, own.does));
  for (const [, entry] of keys)
    parsed.addOption(optionOf(entry.flag.name, argumentOf(entry), "does" in entry.flag ? entry.flag.does : entry.does));
  parsed.addOption(optionOf(CONFIG_NAME, "FILE", "Reads this configuration file in place of the user's"));
  parsed.addHelpText(
    "after",
    "\nEach option that is a configuration key has an environment variable: --max-content-tokens is CHAPERONE_MAX_CONTENT_TOKENS.",
  );
  parsed.action(() => {
    const given = new Map(parsed.options.flatMap((option) => givenOf(parsed, option)));
    const flags = new Map<KeyPath, true | readonly string[]>();
    for (const [path, entry] of keys) {
      const value = given.get(entry.flag.name);
      if (value !== undefined) flags.set(path, value);
    }
    const options = new Map<string, true | string>();
    for (const { name } of command.options) {
      const value = given.get(name);
      if (value !== undefined) options.set(name, onlyOne(name, value));
    }
    const config = given.get(CONFIG_NAME);
    const file = config === undefined ? null : onlyOne(CONFIG_NAME, config);
    if (file === "") throw new ConfigError(`${CONFIG_NAME} needs FILE`);
    const configFile = typeof file === "string" ? file : null;
    done({ command, given: { words: parsed.args, options, configFile }, flags, configFile });
  });
}

function optionOf(name: string, argument: string | undefined, does: string): Option {
  if (argument === undefined) return new Option(name, does);
  // Every one is collected, so that what was given twice can be told from what was given once.
  return new Option(`${name} <${argument}>`, does).argParser<string[]>((text, before) => [...(before ?? []), text]);
}

function argumentOf({ flag }: Entry): string | undefined {
  return "argument" in flag ? flag.argument : undefined;
}

function givenOf(parsed: CommanderCommand, option: Option): [string, true | readonly string[]][] {
  if (
    parsed.getOptionValueSource(option.attributeName()) !== "cli" ||
    option.long === undefined ||
    option.long === null
  )
    return [];
  const value: unknown = parsed.getOptionValue(option.attributeName());
  return [[option.long, Array.isArray(value) ? value.map(String) : true]];
}

function onlyOne(name: string, value: true | readonly string[]): true | string {
  if (value === true) return true;
  const [first = ""] = value;
  if (value.length > 1) throw new ConfigError(`${name} is given ${value.length} times: give it once`);
  if (first.startsWith("--")) throw new ConfigError(`${name} needs an argument, got the option ${first}`);
  return first;
}

/** The value of an option that was mistyped may be a credential. */
const WRITTEN_VALUE = /(--?[\w-]+)=[^\s']*/g;

/** Commander's words in one line, with ours where they help more. */
function problemOf(error: CommanderError, argv: readonly string[], commands: readonly Command[]): string {
  const [first = "", second = ""] = argv;
  // Commander's way to say that it printed its help as an error.
  if (error.code === "commander.help")
    return first === "help" ? `unknown command '${second}'` : "a command is missing: chaperone --help lists them";
  const message = error.message
    .replace(/^error: /, "")
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(WRITTEN_VALUE, "$1=…");
  const belongsToCommand =
    error.code === "commander.unknownOption" && commands.some((command) => takes(command, first));
  return belongsToCommand && first.startsWith("--")
    ? `${first.split("=", 1)[0]} goes after the command: chaperone COMMAND ${first.split("=", 1)[0]}`
    : message;
}

function takes(command: Command, argument: string): boolean {
  const name = argument.split("=", 1)[0];
  return (
    name === CONFIG_NAME ||
    command.options.some((own) => own.name === name) ||
    keysOf(command.face).some(([, entry]) => entry.flag.name === name)
  );
}
