import type { Actor, KycFile } from "@cardbridge/domain";
import { type ByHandPorts, fileOf } from "./by-hand.ts";
import type { Ports } from "./ports.ts";

export type ShowPorts = Pick<ByHandPorts, "desk"> & Pick<Ports, "audit">;

/**
 * Shows a record to a person, once that is noted.
 * @throws CannotBeDone where there is no such record; Failure SERVICE_UNAVAILABLE where it cannot be noted.
 */
export async function showByHand(
  { desk, audit }: ShowPorts,
  by: Actor,
  kycRecordId: string,
): Promise<KycFile> {
  const file = await fileOf(desk, kycRecordId);
  const shown = { ...by, act: "record.show", subject: kycRecordId, outcome: "done" } as const;
  await audit.note(file.job.platformId, shown);
  return file;
}
