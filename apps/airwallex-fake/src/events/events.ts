import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { StoredEvent } from "../records/event.ts";
import type { State } from "../state/state.ts";
import { timestamp } from "../time.ts";
import { deliver, type Webhook } from "./deliver.ts";

const firstDelayMs = 100;
const maxDelayMs = 30_000;

export interface Events {
  readonly accountId: string;
  /** The receiver of events. Without it, no event is sent. */
  webhook: Webhook | undefined;
  /** Whether each event is sent when it happens and retried until a 200. Otherwise tests request deliveries. */
  automatic: boolean;
  /** Adds an event to the state, and sends it if `automatic` is set. The caller saves the state. */
  add(name: string, data: object, sourceId: string): StoredEvent;
  /** Stops the automatic deliveries. */
  close(): void;
}

interface EventsOptions {
  state: State;
  accountId: string;
  now: () => number;
  webhook?: Webhook | undefined;
}

export function createEvents({ state, accountId, now, webhook }: EventsOptions): Events {
  const closed = new AbortController();

  /** Repeats an event with the timestamp of its first delivery. */
  async function keepSending(event: StoredEvent): Promise<void> {
    const timestampMs = now();
    for (let delayMs = firstDelayMs; !closed.signal.aborted; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
      if (!events.webhook || (await deliver(events.webhook, event, timestampMs)) === 200) return;
      await delay(delayMs, undefined, { signal: closed.signal, ref: false }).catch(() => {});
    }
  }

  const events: Events = {
    accountId,
    webhook,
    automatic: webhook !== undefined,
    add(name, data, sourceId) {
      const event: StoredEvent = {
        id: randomUUID(),
        name,
        account_id: accountId,
        created_at: timestamp(now()),
        // Later changes of `data` must not change the event.
        data: structuredClone(data),
        source_id: sourceId,
        version: "2025-06-30",
      };
      state.events.push(event);
      if (events.automatic) setImmediate(() => void keepSending(event));
      return event;
    },
    close: () => closed.abort(),
  };
  return events;
}
