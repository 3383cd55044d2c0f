import type { StartTimer } from "../timers.ts";

export interface Schedule {
  /**
   * Runs a task at a time (milliseconds since 1970), or later when the limit is reached. The task must not reject.
   * Returns a function that drops the task if it still waits.
   */
  add(at: number, task: () => Promise<void>): () => void;
  /** Drops the waiting tasks, accepts no more, and waits for the running ones. */
  close(): Promise<void>;
}

interface ScheduleOptions {
  now: () => number;
  startTimer: StartTimer;
  /** The maximum number of concurrent tasks. */
  maxRunning: number;
}

/** Runs tasks at their times, the earliest first, with a single timer. */
export function createSchedule({ now, startTimer, maxRunning }: ScheduleOptions): Schedule {
  const waiting: { at: number; task: () => Promise<void> }[] = [];
  const running = new Set<Promise<void>>();
  let cancelTimer = () => {};
  let closed = false;

  function runDue(): void {
    cancelTimer();
    while (running.size < maxRunning) {
      const [first] = waiting;
      if (!first) return;
      if (first.at > now()) {
        cancelTimer = startTimer(runDue, first.at - now());
        return;
      }
      waiting.shift();
      start(first.task);
    }
  }

  function start(task: () => Promise<void>): void {
    const done = task().finally(() => {
      running.delete(done);
      runDue();
    });
    running.add(done);
  }

  return {
    add(at, task) {
      if (closed) return () => {};
      const item = { at, task };
      waiting.splice(waiting.findLastIndex((other) => other.at <= at) + 1, 0, item);
      runDue();
      return () => {
        const index = waiting.indexOf(item);
        if (index >= 0) waiting.splice(index, 1);
        runDue();
      };
    },
    async close() {
      closed = true;
      waiting.length = 0;
      cancelTimer();
      await Promise.all(running);
    },
  };
}
