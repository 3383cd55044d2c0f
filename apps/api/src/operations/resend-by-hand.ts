import { attemptByHand, type ByHand, type ByHandPorts, CannotBeDone, fileOf } from "./by-hand.ts";

/**
 * Sends an unsettled record's submission again, as it was stored and under its reference, and only when the
 * provider, asked just before, does not know it. Whatever else it says of it is stored instead.
 * @throws CannotBeDone where there is no such record, it is settled, or another attempt owns it.
 */
export async function resendByHand(ports: ByHandPorts, kycRecordId: string): Promise<ByHand> {
  const before = await fileOf(ports.desk, kycRecordId);
  if (before.record.settlement !== "unsettled") {
    throw new CannotBeDone("The record is settled: only an unsettled one is sent again.");
  }
  const asked = await attemptByHand(ports, kycRecordId, { step: "ask" });
  const after = asked.record.attempt;
  // Only an attempt that is still the latest may send: whoever came after it may have sent already.
  const last =
    asked.answer.outcome === "not-found" && asked.stored
      ? await attemptByHand(ports, kycRecordId, { step: "send", after })
      : asked;
  return {
    before,
    after: last.stored ? await fileOf(ports.desk, kycRecordId) : null,
    asked: asked.answer,
    sent: last === asked ? null : last.answer,
  };
}
