const sandboxPatterns = [
  /No usable sandbox/i,
  /Running as root without --no-sandbox/i,
  /Failed to move to new namespace/i,
  /SUID sandbox helper/i,
  /sandbox_linux|credentials\.cc|namespace_sandbox|setuid_sandbox|zygote_host_impl_linux|seccomp_bpf/i,
];
const displayPatterns = [
  /Missing X server or \$DISPLAY/i,
  /cannot open display/i,
  /ozone_platform_x11/i,
  /The platform failed to initialize/i,
];
const libraryPatterns = [
  /error while loading shared libraries/i,
  /cannot open shared object file/i,
  /symbol lookup error/i,
];

const programPatterns = [/Exec format error/i, /^sh: .*: (Permission denied|not found)/im];

const withoutSandbox =
  "If nothing else is possible, --no-sandbox runs without it: a page that breaks Chromium then has the rights of its user.";

/**
 * One line on why Chromium ended before it answered, from the end of its stderr. Never contains that text: a Failure's
 * message is for the model.
 */
export function startFailureMessage(stderrTail: string, sandboxed: boolean): string {
  const says = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(stderrTail));
  if (says(libraryPatterns))
    return "Chromium cannot start: a system library it needs is missing. Install the browser with the package manager, which brings its libraries.";
  if (says(programPatterns))
    return "The browser cannot be run: it is not a program for this machine, or its user may not run it.";
  if (says(displayPatterns))
    return "Chromium cannot start: there is no display for a window. Run without --headed, or set DISPLAY.";
  if (sandboxed && says(sandboxPatterns)) {
    return `Chromium's sandbox cannot start on this machine (user namespaces are off, or a container or AppArmor forbids them). Allow user namespaces. ${withoutSandbox}`;
  }
  if (sandboxed)
    return `Chromium ended as soon as it was started. Its sandbox may not be able to start on this machine. ${withoutSandbox}`;
  return "Chromium ended as soon as it was started.";
}
