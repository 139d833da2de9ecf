/** Milliseconds that this process has worked so far. What waits for a processor meanwhile does not count, so a bound on it holds on a busy machine, too. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
