/** Does the work once, after so many milliseconds; returns what takes it back. */
export type SetTimer = (work: () => void, ms: number) => () => void;

/** The longest that Node's timers can wait; more would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const setTimer: SetTimer = (work, ms) => {
  const timer = setTimeout(work, Math.min(ms, MAX_TIMER_MS));
  return () => clearTimeout(timer);
};
