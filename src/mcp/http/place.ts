import { ConfigError } from "../../config/index.ts";

const DEFAULT_HOST = "127.0.0.1";
const HIGHEST_PORT = 65_535;
const WRITTEN = /^(?:(?:\[([\da-f:.]+)\]|([\w.-]+)):)?(\d{1,5})$/i;

/** Where to listen. */
export interface HttpPlace {
  /** An address without brackets, or a name. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

/** `3200` is loopback; another host must be written. Throws ConfigError. */
export function httpPlace(text: string): HttpPlace {
  const [, v6, name, digits] = WRITTEN.exec(text) ?? [];
  const port = digits === undefined ? Number.NaN : Number(digits);
  if (!(port <= HIGHEST_PORT))
    throw new ConfigError(
      "--http must be a port, or an address of this machine and a port such as 127.0.0.1:3200 or [::1]:3200",
    );
  return { host: (v6 ?? name ?? DEFAULT_HOST).toLowerCase(), port };
}
