import { log } from "../log.ts";
import type { State } from "../state/state.ts";
import type { StartTimer } from "../timers.ts";
import type { Deliver } from "./deliver.ts";
import type { SandboxEvent } from "./events.ts";
import { createSchedule } from "./schedule.ts";

const maxRunning = 8;
const minDelayMs = 500;
const maxDelayMs = 30_000;

export interface WebhookSender {
  /** Sends the undelivered events one after another, each when it is due. */
  send(events: readonly SandboxEvent[]): void;
  /** Aborts the running deliveries. The next sender on the same state repeats them. */
  close(): Promise<void>;
}

interface WebhookSenderOptions {
  state: State;
  deliver: Deliver;
  now: () => number;
  startTimer: StartTimer;
}

/** Sends events with exponential backoff until the receiver accepts them, and writes each delivery to the state. */
export function createWebhookSender({
  state,
  deliver,
  now,
  startTimer,
}: WebhookSenderOptions): WebhookSender {
  const schedule = createSchedule({ now, startTimer, maxRunning });
  const closing = new AbortController();

  function sendInOrder([event, ...later]: readonly SandboxEvent[]): void {
    if (event) schedule.add(event.at, () => attempt(event, later, minDelayMs));
  }

  async function attempt(
    event: SandboxEvent,
    later: readonly SandboxEvent[],
    delayMs: number,
  ): Promise<void> {
    if (await isDelivered(event)) return sendInOrder(later);
    const nextDelayMs = Math.min(delayMs * 2, maxDelayMs);
    if (delayMs < nextDelayMs && nextDelayMs === maxDelayMs) {
      log({ level: "warn", message: "event_not_delivered", eventId: event.id, retryMs: delayMs });
    }
    schedule.add(now() + delayMs, () => attempt(event, later, nextDelayMs));
  }

  async function isDelivered(event: SandboxEvent): Promise<boolean> {
    for (let count = 0; count < event.deliveries; count += 1) {
      if (!(await deliver(event, closing.signal))) return false;
    }
    try {
      state.write({ kind: "delivered", eventId: event.id, at: now() });
      return true;
    } catch (error) {
      log({ level: "error", message: error instanceof Error ? error.message : String(error) });
      return false;
    }
  }

  return {
    send(events) {
      sendInOrder(events.filter(({ id }) => !state.delivered.has(id)));
    },
    close() {
      closing.abort();
      return schedule.close();
    },
  };
}
