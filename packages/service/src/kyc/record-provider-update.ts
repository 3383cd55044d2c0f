import { Failure, isFinal, type KycReference, type OrderedVerdict } from "@cardbridge/domain";
import { recordRequestEvent } from "../document-requests/record.ts";
import { observeUnknown } from "../operation/observe-unknown.ts";
import type { Ports } from "../operation/ports.ts";
import { observeChange, observeUnmapped } from "./observe.ts";

/**
 * Applies the verdict of a provider event to its record, if the verdict is new. Events may arrive repeatedly, late and
 * in any order. Unless the record is decided, its requests for documents are stored too.
 * @throws Failure KYC_RECORD_NOT_FOUND
 */
export async function recordProviderUpdate(
  ports: Pick<Ports, "kycRecords" | "database" | "observer" | "ids">,
  { reference, userReference, verdict }: KycReference & { verdict: OrderedVerdict },
): Promise<void> {
  const { kycRecords, observer } = ports;
  const change = await kycRecords.recordProviderUpdate({ reference, userReference }, verdict);
  if (!change) {
    await observeUnknown(ports, reference);
    throw new Failure("KYC_RECORD_NOT_FOUND");
  }
  observeUnmapped(observer, change.record, verdict);
  observeChange(observer, change);
  if (verdict.outcome !== "answered" || !verdict.requests?.length || isFinal(change.record)) return;
  await recordRequestEvent(ports, { reference, userReference, requests: verdict.requests });
}
