import { type AuditOutcome, Failure } from "@cardbridge/domain";
import { type Call, originOf } from "./call.ts";
import type { Outcome } from "./declaration.ts";
import type { AuditPorts } from "./ports.ts";

interface Audited {
  id: string;
  audit: readonly AuditOutcome[];
}

interface Subject {
  platformId?: string | undefined;
  subject?: string | null | undefined;
}

/**
 * Runs a call, counts its outcome, and audits the outcomes that the declaration lists. A call fails if its audit entry
 * cannot be written.
 * @throws what `run` throws; Failure SERVICE_UNAVAILABLE if the entry cannot be written.
 */
export async function withAudit<T>(
  { audit, observer }: AuditPorts,
  call: Call,
  { id, audit: audited }: Audited,
  run: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const count = (outcome: AuditOutcome) => observer.observe("operation_call", { operation: id, outcome });
  try {
    const outcome = await auditedRun();
    count(resultOf(outcome));
    return outcome;
  } catch (error) {
    count(codeOf(error));
    throw error;
  }

  async function auditedRun(): Promise<Outcome<T>> {
    let outcome: Outcome<T>;
    try {
      outcome = await run();
    } catch (error) {
      const { audit: about, kycRecordId } = error instanceof Failure ? error.details : {};
      await append(codeOf(error), about ?? { subject: kycRecordId });
      throw error;
    }
    await append(resultOf(outcome), outcome);
    return outcome;
  }

  async function append(
    outcome: AuditOutcome,
    { platformId = call.platformId, subject = null }: Subject,
  ): Promise<void> {
    if (audited.includes(outcome))
      await audit.append(platformId, { ...originOf(call, id), subject, outcome });
  }
}

function resultOf({ replayed }: Outcome<unknown>): AuditOutcome {
  return replayed ? "replayed" : "done";
}

function codeOf(error: unknown): AuditOutcome {
  return error instanceof Failure ? error.code : "INTERNAL_ERROR";
}
