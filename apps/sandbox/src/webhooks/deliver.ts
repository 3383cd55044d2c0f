import { Webhook } from "standardwebhooks";
import { type StartTimer, withDeadline } from "../timers.ts";
import type { SandboxEvent } from "./events.ts";

export interface EventTarget {
  /** http or https. */
  url: string;
  /** `whsec_` and base64. */
  secret: string;
}

interface DeliverOptions extends EventTarget {
  now: () => number;
  startDeadline: StartTimer;
}

/** Sends an event once, until the signal aborts. Resolves to true for a 2xx response; never rejects. */
export type Deliver = (event: SandboxEvent, signal: AbortSignal) => Promise<boolean>;

/**
 * Delivers events to one URL. Each delivery has a new signature and a timeout of 5 s, and follows no redirects.
 * @throws Error when the URL or the secret is invalid
 */
export function createDeliver({ url, secret, now, startDeadline }: DeliverOptions): Deliver {
  const target = new URL(url);
  const webhook = new Webhook(secret);

  function headersOf({ id, body }: SandboxEvent): Record<string, string> {
    const at = new Date(now());
    return {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": webhook.sign(id, at, body),
    };
  }

  async function post(event: SandboxEvent, signal: AbortSignal): Promise<boolean> {
    const response = await fetch(target, {
      method: "POST",
      headers: headersOf(event),
      body: event.body,
      redirect: "manual",
      signal,
    });
    await response.body?.cancel();
    return response.ok;
  }

  return async (event, caller) => {
    if (caller.aborted) return false;
    return withDeadline(startDeadline, caller, (signal) => post(event, signal)).catch(() => false);
  };
}
