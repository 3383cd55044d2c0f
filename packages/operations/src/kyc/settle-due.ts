import { type DueAttempt, Failure } from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";
import { reasonOf } from "../operation/reason.ts";
import { type AttemptPorts, runAttempt } from "./attempt.ts";

type WorkerPorts = AttemptPorts & Pick<Ports, "providerSlots" | "tracer">;

/**
 * Leases up to `limit` due records and makes one attempt for each: unsettled submissions, and those still in review.
 * @returns how many it leased
 */
export async function settleDueKyc(ports: WorkerPorts, limit: number): Promise<number> {
  const due = await ports.kycRecords.leaseDue(limit);
  await Promise.all(due.map((attempt) => settle(ports, attempt)));
  return due.length;
}

/** Continues the submission's trace. Never throws: a record that cannot be loaded stays due until its lease expires. */
async function settle(ports: WorkerPorts, { platformId, ...id }: DueAttempt): Promise<void> {
  const attempt = await ports.kycRecords.loadAttempt(platformId, id).catch((error: unknown) => {
    const cause = error instanceof Failure ? error.details.cause : error;
    ports.observer.observe("kyc_not_loaded", { reason: reasonOf(cause), kycRecordId: id.kycRecordId });
    return null;
  });
  if (!attempt) return;
  const { step, traceparent: parent, record } = attempt;
  const attributes = { "cardbridge.step": step, "cardbridge.attempt": record.attempt };
  const attempted = ports.tracer.run({ name: "kyc.attempt", parent, attributes }, () =>
    ports.providerSlots.run(platformId, () => runAttempt(ports, platformId, attempt)),
  );
  // Without a place, the record stays due until its lease expires too.
  await attempted.catch(() => {});
}
