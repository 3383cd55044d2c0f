import { log } from "../log.ts";
import type { State } from "../state/state.ts";
import type { StartTimer } from "../timers.ts";
import type { Deliver } from "./deliver.ts";
import type { EventSource, SandboxEvent } from "./events.ts";
import { createSchedule } from "./schedule.ts";

const maxRunning = 8;
const minDelayMs = 500;
const maxDelayMs = 30_000;

export interface WebhookSender {
  /** Sends the undelivered events of a source one after another, each when it is due. Call it after each change. */
  send(source: EventSource): void;
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
  /** The sources that wait for their next event, with a function that ends the wait. */
  const waiting = new Map<string, () => void>();
  /** The sources with an event that is due. Their next event follows it. */
  const sending = new Set<string>();

  function sendNext(source: EventSource): void {
    const event = source.events().find(({ id }) => !state.delivered.has(id));
    if (!event) return;
    if (event.at > now()) {
      const wake = async () => {
        waiting.delete(source.key);
        sendNext(source);
      };
      waiting.set(source.key, schedule.add(event.at, wake));
      return;
    }
    sending.add(source.key);
    schedule.add(event.at, () => attempt(source, event, minDelayMs));
  }

  async function attempt(source: EventSource, event: SandboxEvent, delayMs: number): Promise<void> {
    if (await isDelivered(event)) {
      sending.delete(source.key);
      return sendNext(source);
    }
    const nextDelayMs = Math.min(delayMs * 2, maxDelayMs);
    if (delayMs < nextDelayMs && nextDelayMs === maxDelayMs) {
      log({ level: "warn", message: "event_not_delivered", eventId: event.id, retryMs: delayMs });
    }
    schedule.add(now() + delayMs, () => attempt(source, event, nextDelayMs));
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
    send(source) {
      if (sending.has(source.key)) return;
      waiting.get(source.key)?.();
      waiting.delete(source.key);
      sendNext(source);
    },
    close() {
      closing.abort();
      return schedule.close();
    },
  };
}
