const marker = Symbol.for("chaperone.config-error");

/**
 * Configuration that cannot be used. `message` is one line for a person: where it came from, what is wrong, what was
 * meant.
 */
export class ConfigError extends Error {
  readonly [marker] = true;

  constructor(message: string, options?: ErrorOptions) {
    // Parsers quote the file in their messages.
    super(message.replaceAll(/\p{Cc}+/gu, " "), options);
    this.name = "ConfigError";
  }

  static is(value: unknown): value is ConfigError {
    return typeof value === "object" && value !== null && marker in value;
  }
}
