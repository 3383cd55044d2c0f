const longestMs = 2 ** 31 - 1;

/** Has something done so many milliseconds from now, or somewhat earlier; gives what calls it off. */
export type Schedule = (work: () => void, milliseconds: number) => () => void;

/** On the timers of this process. */
export const onTimers: Schedule = (work, milliseconds) => {
  const timer = setTimeout(work, Math.min(milliseconds, longestMs));
  return () => clearTimeout(timer);
};
