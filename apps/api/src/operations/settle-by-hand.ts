import type { KycAdmin, KycFile, ManualDecision } from "@cardbridge/domain";
import { CannotBeDone, fileOf, noSuchRecord } from "./by-hand.ts";

/**
 * Settles an unsettled record by what a person knows of the provider's decision. The provider's own word,
 * should it come later, wins over it.
 * @throws CannotBeDone where there is no such record, or it is settled: a person never overrules the provider.
 */
export async function settleByHand(
  desk: KycAdmin,
  kycRecordId: string,
  word: ManualDecision,
): Promise<{ before: KycFile; after: KycFile }> {
  const before = await fileOf(desk, kycRecordId);
  const learned = await desk.settle(kycRecordId, word);
  if (!learned) throw noSuchRecord(kycRecordId);
  if (learned.before.settlement !== "unsettled") {
    throw new CannotBeDone("The record is settled: only an unsettled one is settled by hand.");
  }
  return { before, after: await fileOf(desk, kycRecordId) };
}
