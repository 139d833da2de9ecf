/** What this process has computed so far, in ms: unlike the time that went by, the same on a busy machine. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
