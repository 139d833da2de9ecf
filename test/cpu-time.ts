const MICROSECONDS_A_MS = 1_000;

/**
 * Milliseconds that this process computed since the call. Unlike a clock it does not run while a busy machine lets it
 * wait.
 */
export function cpuTime(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / MICROSECONDS_A_MS;
  };
}
