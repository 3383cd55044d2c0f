import { attemptByHand, type ByHand, type ByHandPorts, fileOf } from "./by-hand.ts";

/**
 * Asks the provider now what became of a record's submission, and stores what it says. A record that was held
 * and is not settled by this stays held.
 * @throws CannotBeDone where there is no such record, or another attempt owns it.
 */
export async function askByHand(ports: ByHandPorts, kycRecordId: string): Promise<ByHand> {
  const before = await fileOf(ports.desk, kycRecordId);
  const { answer, stored } = await attemptByHand(ports, kycRecordId, { step: "ask" });
  const after = stored ? await fileOf(ports.desk, kycRecordId) : null;
  return { before, after, asked: answer, sent: null };
}
