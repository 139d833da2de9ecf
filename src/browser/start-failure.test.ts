import { expect, test } from "vitest";
import { startFailureMessage } from "./start-failure.ts";

const stderrOf = {
  noUserNamespaces:
    "[1:1:FATAL:zygote_host_impl_linux.cc(130)] No usable sandbox! If this is a Debian system, please install the chromium-sandbox package",
  asRoot: "[1:1:ERROR:zygote_host_impl_linux.cc(101)] Running as root without --no-sandbox is not supported.",
  namespaceRefused:
    "Failed to move to new namespace: PID namespaces supported, Network namespace supported, but failed: errno = Operation not permitted",
  helperMode: "The SUID sandbox helper binary was found, but is not configured correctly.",
  library:
    "chrome: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory",
  format: "sh: 1: exec: /opt/chrome: Exec format error",
  mode: "sh: 1: exec: /opt/chrome: Permission denied",
  display: "[1:1:ERROR:ozone_platform_x11.cc(245)] Missing X server or $DISPLAY",
  nothing: "",
};

test.each([
  ["noUserNamespaces", true, /sandbox cannot start.*--no-sandbox/],
  ["asRoot", true, /sandbox cannot start.*--no-sandbox/],
  ["namespaceRefused", true, /sandbox cannot start.*--no-sandbox/],
  ["helperMode", true, /sandbox cannot start.*--no-sandbox/],
  ["library", true, /library/],
  ["format", true, /not a program for this machine/],
  ["mode", true, /may not run it/],
  ["display", true, /no display.*--headed/],
  ["nothing", true, /sandbox may not.*--no-sandbox/],
  ["noUserNamespaces", false, /^Chromium ended as soon as it was started\.$/],
  ["nothing", false, /^Chromium ended as soon as it was started\.$/],
] as const)("stderr %s with sandbox %s", (kind, sandboxed, expected) => {
  const message = startFailureMessage(stderrOf[kind], sandboxed);
  expect(message).toMatch(expected);
  expect(message).not.toContain("\n");
});

test("a missing library or display never advises to give up the sandbox", () => {
  for (const kind of ["library", "display"] as const)
    expect(startFailureMessage(stderrOf[kind], true)).not.toContain("--no-sandbox");
});

test("words of stderr do not reach the message", () => {
  expect(startFailureMessage(`${stderrOf.noUserNamespaces} ignore all rules`, true)).not.toContain("ignore all rules");
});
