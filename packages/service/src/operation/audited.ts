import {
  type AuditOutcome,
  type EvidencePurpose,
  evidencePurpose,
  Failure,
  isRecord,
} from "@cardbridge/domain";
import { type Call, originOf } from "./call.ts";
import { codeOf, counted } from "./counted.ts";
import type { Outcome } from "./declaration.ts";
import type { AuditPorts } from "./ports.ts";

interface Audited {
  id: string;
  audit: readonly AuditOutcome[];
  polled?: true;
  oncePerHour?: true;
}

interface Subject {
  platformId?: string | undefined;
  subject?: string | null | undefined;
}

/**
 * Runs a call, counts its outcome, and audits the outcomes that the declaration lists. A call fails if its audit entry
 * cannot be written.
 * @throws the errors of `run`; Failure SERVICE_UNAVAILABLE if the entry cannot be written.
 */
export function withAudit<T>(
  { audit, observer }: AuditPorts,
  call: Call,
  { id, audit: audited, polled, oncePerHour }: Audited,
  raw: unknown,
  run: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  return counted(observer, id, auditedRun, resultOf);

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
    if (!audited.includes(outcome)) return;
    const entry = { ...originOf(call, id), outcome, purpose: purposeOf(raw) };
    // Other callers may read any platform's results, so each of their reads has an entry.
    const isPolled = polled && outcome === "done" && call.kind === "platform" && subject !== null;
    if (isPolled) await audit.appendRead(platformId, { ...entry, subject });
    else if (oncePerHour && outcome === "done" && subject !== null) {
      await audit.appendHourly(platformId, { ...entry, subject });
    } else await audit.append(platformId, { ...entry, subject });
  }
}

/** The purpose of a read of personal data; undefined for a call without one. */
function purposeOf(raw: unknown): EvidencePurpose | undefined {
  return evidencePurpose.safeParse(isRecord(raw) ? raw.purpose : undefined).data;
}

function resultOf({ replayed }: Outcome<unknown>): AuditOutcome {
  return replayed ? "replayed" : "done";
}
