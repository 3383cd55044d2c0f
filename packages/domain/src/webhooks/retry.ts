import type { WebhookOutcome } from "./delivery.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delays before the second and each later attempt, in milliseconds: about three days in total. */
const delays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  20 * hour,
];

/** The maximum number of attempts of one delivery. */
export const maxWebhookAttempts = delays.length + 1;

/** The longest Retry-After that is honoured, so that an endpoint cannot postpone a delivery indefinitely. */
const maxRetryAfterMs = 24 * hour;

/** The decision after an attempt. `gone` disables the endpoint; `failed` ends the delivery. */
export type DeliveryDecision = { kind: "delivered" | "failed" | "gone" } | { kind: "retry"; delayMs: number };

/**
 * Decides on the next step after attempt `attempt` (from 1) of a delivery (G32). 2xx delivers, 410 disables the
 * endpoint, any other outcome fails the attempt. The delay has a jitter of 20% and is never shorter than Retry-After,
 * which counts up to 24 hours.
 *
 * @param random from 0 to 1
 */
export function decideDelivery(
  attempt: number,
  outcome: WebhookOutcome,
  random: number = Math.random(),
): DeliveryDecision {
  if (outcome.kind === "answered") {
    if (outcome.status >= 200 && outcome.status < 300) return { kind: "delivered" };
    if (outcome.status === 410) return { kind: "gone" };
  }
  const delay = delays[attempt - 1];
  if (delay === undefined) return { kind: "failed" };
  const asked = outcome.kind === "answered" ? (outcome.retryAfterSeconds ?? 0) * second : 0;
  const jittered = delay * (0.8 + random * 0.4);
  return { kind: "retry", delayMs: Math.round(Math.max(jittered, Math.min(asked, maxRetryAfterMs))) };
}
