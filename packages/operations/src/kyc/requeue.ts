import { type AskedSubmission, Failure } from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";

/**
 * Takes a provider event without an order as a reason to ask: the record is due, and the worker asks for its state.
 * @throws Failure KYC_RECORD_NOT_FOUND; SERVICE_UNAVAILABLE while an attempt runs
 */
export async function requeueRecord(
  { kycRecords, observer }: Pick<Ports, "kycRecords" | "observer">,
  about: AskedSubmission,
): Promise<void> {
  const asked = await kycRecords.requeue(about);
  if (!asked) {
    observer.observe("provider_answer_mismatched", { operation: "event", reason: "mismatched" });
    throw new Failure("KYC_RECORD_NOT_FOUND");
  }
  // The running attempt may have asked before the event's change, so the provider has to send the event again.
  if (asked.state === "leased") throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5 });
}
