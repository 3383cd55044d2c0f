import { decideDelivery, maxWebhookAttempts } from "@cardbridge/domain";
import { durationOf } from "./duration.ts";
import { tableOf } from "./rows.ts";

/** A row of each attempt of a delivery, without the random part of its delay. */
export function webhookAttempts(): string {
  const rows: string[][] = [["1", "", ""]];
  let sinceFirst = 0;
  for (let attempt = 1; attempt < maxWebhookAttempts; attempt += 1) {
    const decision = decideDelivery(attempt, { kind: "undelivered", reason: "deadline" }, 0.5);
    const delay = decision.kind === "retry" ? decision.delayMs : 0;
    sinceFirst += delay;
    rows.push([String(attempt + 1), durationOf(delay), durationOf(sinceFirst)]);
  }
  return tableOf(["Attempt", "Delay after the previous attempt", "Time since the first attempt"], rows);
}
