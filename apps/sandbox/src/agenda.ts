import type { Schedule } from "./schedule.ts";

export interface Agenda {
  /** Has a work done at a moment (ms since 1970), or later when it is not its turn. It must not reject. */
  add(at: number, work: () => Promise<void>): void;
  /** Forgets what waits, takes nothing more, and waits for what is under way. */
  close(): Promise<void>;
}

interface AgendaOptions {
  now: () => number;
  schedule: Schedule;
  /** How many works may be under way. */
  atOnce: number;
}

/** Does works at their moments, the earliest first, with one timer for all of them. */
export function createAgenda({ now, schedule, atOnce }: AgendaOptions): Agenda {
  const waiting: { at: number; work: () => Promise<void> }[] = [];
  const underWay = new Set<Promise<void>>();
  let callOff = () => {};
  let closed = false;

  function look(): void {
    callOff();
    while (underWay.size < atOnce) {
      const [first] = waiting;
      if (!first) return;
      if (first.at > now()) {
        callOff = schedule(look, first.at - now());
        return;
      }
      waiting.shift();
      begin(first.work);
    }
  }

  function begin(work: () => Promise<void>): void {
    const done = work().finally(() => {
      underWay.delete(done);
      look();
    });
    underWay.add(done);
  }

  return {
    add(at, work) {
      if (closed) return;
      const place = waiting.findLastIndex((other) => other.at <= at) + 1;
      waiting.splice(place, 0, { at, work });
      look();
    },
    async close() {
      closed = true;
      waiting.length = 0;
      callOff();
      await Promise.all(underWay);
    },
  };
}
