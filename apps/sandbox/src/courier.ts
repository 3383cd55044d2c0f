import { createAgenda } from "./agenda.ts";
import type { Book, Execution } from "./book.ts";
import type { Deliver } from "./delivery.ts";
import { eventsOf, type KycEvent } from "./events.ts";
import { log } from "./output.ts";
import type { Schedule } from "./schedule.ts";

const atOnce = 8;
const shortestWaitMs = 500;
const longestWaitMs = 30_000;

export interface Courier {
  /** Sends whatever has not been delivered of a submission, one event after the other, each when it is due. */
  follow(execution: Execution): void;
  /** Gives up what is under way; a next courier on the same book sends it again. */
  close(): Promise<void>;
}

interface CourierOptions {
  book: Book;
  deliver: Deliver;
  now: () => number;
  schedule: Schedule;
}

/** Sends events until they are taken, and notes in the book that they were. */
export function createCourier({ book, deliver, now, schedule }: CourierOptions): Courier {
  const agenda = createAgenda({ now, schedule, atOnce });
  const closing = new AbortController();

  function send([event, ...later]: readonly KycEvent[]): void {
    if (event) agenda.add(event.at, () => attempt(event, later, shortestWaitMs));
  }

  async function attempt(event: KycEvent, later: readonly KycEvent[], waitMs: number): Promise<void> {
    if (await isDelivered(event)) return send(later);
    const nextWaitMs = Math.min(waitMs * 2, longestWaitMs);
    if (waitMs < nextWaitMs && nextWaitMs === longestWaitMs) {
      log({ level: "warn", message: `${event.id} has not been taken yet; it is sent on.` });
    }
    agenda.add(now() + waitMs, () => attempt(event, later, nextWaitMs));
  }

  async function isDelivered(event: KycEvent): Promise<boolean> {
    for (let time = 0; time < event.times; time += 1) {
      if (!(await deliver(event, closing.signal))) return false;
    }
    try {
      book.write({ kind: "delivered", eventId: event.id, at: now() });
      return true;
    } catch (error) {
      log({ level: "error", message: error instanceof Error ? error.message : String(error) });
      return false;
    }
  }

  return {
    follow(execution) {
      send(eventsOf(execution).filter(({ id }) => !book.delivered.has(id)));
    },
    close() {
      closing.abort();
      return agenda.close();
    },
  };
}
