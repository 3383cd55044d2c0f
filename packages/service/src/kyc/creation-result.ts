import type { CreateResult, KycRecord } from "@cardbridge/domain";
import type { PreparedRecord } from "./prepare-record.ts";

/**
 * The result of a new record: the caller sends it, or a worker does (`unsent`). For a submission that the provider
 * executed before a restore, the first attempt asks.
 */
export function creationResult(
  record: KycRecord,
  { request, providerFingerprint: fingerprint, isRestored }: PreparedRecord,
): CreateResult {
  const { submission, maxUnsent } = request;
  if (maxUnsent !== undefined) return { kind: "unsent", record };
  const attempt = { record, notFound: 0 };
  return isRestored
    ? { kind: "new", record, attempt: { ...attempt, step: "ask" } }
    : { kind: "new", record, attempt: { ...attempt, step: "send", submission, fingerprint } };
}
