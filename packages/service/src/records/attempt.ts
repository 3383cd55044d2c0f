import {
  type AuditOrigin,
  Failure,
  internalPlatformId,
  type KycAdmin,
  type ManualStep,
  type ProviderSlots,
} from "@cardbridge/domain";
import { type AttemptPorts, type AttemptResult, runAttempt } from "../kyc/attempt.ts";
import { recordConflict } from "./find.ts";

export type ManualAttemptPorts = AttemptPorts & { kycAdmin: KycAdmin; providerSlots: ProviderSlots };

/**
 * Leases a record for an operator and makes one attempt, in a slot of the internal apps.
 * @throws Failure KYC_RECORD_NOT_FOUND, KYC_RECORD_CONFLICT if another attempt owns the record; PROVIDER_PAUSED,
 *   RATE_LIMITED or SERVICE_UNAVAILABLE before the lease if there is no slot.
 */
export async function runManualAttempt(
  { kycAdmin, ...ports }: ManualAttemptPorts,
  kycRecordId: string,
  step: ManualStep,
  by: AuditOrigin,
): Promise<AttemptResult> {
  return ports.providerSlots.run(internalPlatformId, async () => {
    const lease = await kycAdmin.lease(kycRecordId, step, by);
    if (!lease) throw new Failure("KYC_RECORD_NOT_FOUND");
    if (lease.kind === "busy") throw busy(lease.until);
    const attempt = await ports.kycRecords.loadAttempt(lease.platformId, lease);
    if (!attempt) throw busy(null);
    return runAttempt(ports, lease.platformId, attempt, by.actor);
  });
}

function busy(until: Date | null): Failure {
  if (!until) return recordConflict("Another attempt ran in between. Show the record and start again.");
  return recordConflict(
    `Another attempt owns the record until ${until.toISOString()} or earlier. Try again then.`,
  );
}
