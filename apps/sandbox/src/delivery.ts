import { Webhook } from "standardwebhooks";
import type { KycEvent } from "./events.ts";
import type { Schedule } from "./schedule.ts";

const deadlineMs = 5_000;

export interface EventTarget {
  /** http or https. */
  url: string;
  /** `whsec_` and base64. */
  secret: string;
}

interface DeliveryOptions extends EventTarget {
  now: () => number;
  schedule: Schedule;
}

/** Sends an event once, until a signal gives it up. Whether it was taken; never rejects. */
export type Deliver = (event: KycEvent, signal: AbortSignal) => Promise<boolean>;

/**
 * Delivers to one target, each time signed afresh, within 5 s, without following redirects.
 * @throws when the URL or the secret cannot be used
 */
export function createDelivery({ url, secret, now, schedule }: DeliveryOptions): Deliver {
  const target = new URL(url);
  const webhook = new Webhook(secret);

  function headersOf({ id, body }: KycEvent): Record<string, string> {
    const at = new Date(now());
    return {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": webhook.sign(id, at, body),
    };
  }

  return async (event, signal) => {
    if (signal.aborted) return false;
    const attempt = new AbortController();
    const giveUp = () => attempt.abort();
    const callOff = schedule(giveUp, deadlineMs);
    signal.addEventListener("abort", giveUp);
    try {
      const response = await fetch(target, {
        method: "POST",
        headers: headersOf(event),
        body: event.body,
        redirect: "manual",
        signal: attempt.signal,
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    } finally {
      callOff();
      signal.removeEventListener("abort", giveUp);
    }
  };
}
