import type { SessionDirectory } from "./session-directory.ts";

/** All that Chromium learns of our environment: keys and tokens of the host stay out of its reach. */
const passedOn = [
  ...[
    "PATH",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
    "TZ",
    "LD_LIBRARY_PATH",
    "FONTCONFIG_FILE",
    "FONTCONFIG_PATH",
  ],
  ...["DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP"],
  ...[
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "PROGRAMDATA",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
  ],
];

/** Environment of Chromium: its own HOME and TMPDIR, no desktop bus, no vendor keys. */
export function browserEnvironment(directory: SessionDirectory, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => passedOn.includes(name.toUpperCase()));
  return {
    ...Object.fromEntries(kept),
    HOME: directory.home,
    USERPROFILE: directory.home,
    TMPDIR: directory.temporary,
    TEMP: directory.temporary,
    TMP: directory.temporary,
    // A desktop bus would be started, or asked for the person's keyring.
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/dev/null",
    DBUS_SYSTEM_BUS_ADDRESS: "unix:path=/dev/null",
    // Chromium shows a bar about missing keys unless they are given as none.
    GOOGLE_API_KEY: "no",
    GOOGLE_DEFAULT_CLIENT_ID: "no",
    GOOGLE_DEFAULT_CLIENT_SECRET: "no",
  };
}
