import type { KycAdmin, KycFile } from "@cardbridge/domain";
import { type Attempted, type Found, type SettlePorts, settleKyc } from "./settle-kyc.ts";

/** What people's own operations work with, beside what a worker's attempt does. */
export type ByHandPorts = SettlePorts & { desk: KycAdmin };

/** Something could not be done; the message is a sentence for the person who tried. */
export class CannotBeDone extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = "CannotBeDone";
  }
}

/** What a person's attempt came to. */
export interface ByHand {
  before: KycFile;
  /** Null where the provider's answer could not be stored. */
  after: KycFile | null;
  /** What the provider said when it was asked. */
  asked: Found;
  /** What it said when the submission was sent again; null where it was not. */
  sent: Found | null;
}

/** @throws CannotBeDone where there is no such record. */
export async function fileOf(desk: KycAdmin, kycRecordId: string): Promise<KycFile> {
  const file = await desk.show(kycRecordId);
  if (!file) throw noSuchRecord(kycRecordId);
  return file;
}

export function noSuchRecord(kycRecordId: string): CannotBeDone {
  return new CannotBeDone(`There is no KYC record ${kycRecordId}.`);
}

/**
 * Takes a record and makes one attempt, on the way of every other one.
 * @throws CannotBeDone where another attempt owns it.
 */
export async function attemptByHand(
  { desk, ...ports }: ByHandPorts,
  kycRecordId: string,
  how: Parameters<KycAdmin["take"]>[1],
): Promise<Attempted> {
  const taken = await desk.take(kycRecordId, how);
  if (!taken) throw noSuchRecord(kycRecordId);
  if (taken.kind === "busy") throw new CannotBeDone(busy(taken.until));
  const attempt = await ports.kycRecords.loadAttempt(taken.platformId, taken);
  if (!attempt) throw new CannotBeDone(busy(null));
  return settleKyc(ports, taken.platformId, attempt);
}

function busy(until: Date | null): string {
  if (!until) return "Another attempt came in between; show the record, and begin again.";
  return `Another attempt has it until ${until.toISOString()} at the latest; try again then.`;
}
