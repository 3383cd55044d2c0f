import { type AskedSubmission, Failure } from "@cardbridge/domain";
import { observeUnknown } from "../operation/observe-unknown.ts";
import type { Ports } from "../operation/ports.ts";

/**
 * Makes the record of a provider event due, so that a worker queries its state. Used for events without an order.
 * @throws Failure KYC_RECORD_NOT_FOUND; SERVICE_UNAVAILABLE while an attempt is active
 */
export async function requeueRecord(
  ports: Pick<Ports, "kycRecords" | "database" | "observer">,
  about: AskedSubmission,
): Promise<void> {
  const requeued = await ports.kycRecords.requeue(about);
  if (!requeued) {
    await observeUnknown(ports, "reference" in about ? about.reference : undefined);
    throw new Failure("KYC_RECORD_NOT_FOUND");
  }
  // The active attempt may have sent its query before the change, so the provider has to send the event again.
  if (requeued.state === "leased") throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5 });
}
