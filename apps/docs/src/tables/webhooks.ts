import { decideDelivery, maxWebhookAttempts } from "@cardbridge/domain";
import { durationOf } from "./duration.ts";

/** The delays between the attempts of a delivery, without their random parts. */
export function webhookAttempts(): string {
  const delays = Array.from({ length: maxWebhookAttempts - 1 }, (_, index) => {
    const decision = decideDelivery(index + 1, { kind: "undelivered", reason: "deadline" }, 0.5);
    return decision.kind === "retry" ? decision.delayMs : 0;
  });
  const total = durationOf(delays.reduce((sum, delay) => sum + delay, 0));
  return `A delivery has ${maxWebhookAttempts} attempts over about ${total}, with these delays: ${delays.map(durationOf).join(", ")}.`;
}
