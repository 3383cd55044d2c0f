import { type DueAttempt, reasonOf } from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";
import { type AttemptPorts, runAttempt } from "./attempt.ts";

/**
 * Makes the attempt of a leased record, which is unresolved or in review. It continues the submission's trace and never
 * throws: a record that cannot be loaded is due again when its lease expires. The caller must have a slot for the
 * provider.
 */
export async function resolveDue(
  ports: AttemptPorts & Pick<Ports, "tracer">,
  { platformId, ...id }: DueAttempt,
): Promise<void> {
  const attempt = await ports.kycRecords.loadAttempt(platformId, id).catch((error: unknown) => {
    ports.observer.observe("kyc_not_loaded", { reason: reasonOf(error), kycRecordId: id.kycRecordId });
    return null;
  });
  if (!attempt) return;
  const { step, traceparent: parent, record } = attempt;
  const attributes = { "cardbridge.step": step, "cardbridge.attempt": record.attempt };
  await ports.tracer.run({ name: "kyc.attempt", parent, attributes }, () =>
    runAttempt(ports, platformId, attempt, "worker"),
  );
}
