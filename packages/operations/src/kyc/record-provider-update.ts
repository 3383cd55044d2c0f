import { Failure, type KycReference, type OrderedVerdict } from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";
import { observeChange, observeUnmapped } from "./observe.ts";

/**
 * Applies the verdict of a provider event to its record, if the verdict is new. Events may arrive repeatedly, late and
 * in any order.
 * @throws Failure KYC_RECORD_NOT_FOUND
 */
export async function recordProviderUpdate(
  { kycRecords, observer }: Pick<Ports, "kycRecords" | "observer">,
  { reference, userReference, verdict }: KycReference & { verdict: OrderedVerdict },
): Promise<void> {
  const change = await kycRecords.recordProviderUpdate({ reference, userReference }, verdict);
  if (!change) {
    observer.observe("provider_answer_mismatched", { operation: "event", reason: "mismatched" });
    throw new Failure("KYC_RECORD_NOT_FOUND");
  }
  observeUnmapped(observer, change.record, verdict);
  observeChange(observer, change);
}
