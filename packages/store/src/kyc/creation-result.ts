import type { Attempt, CreateResult, KycRecord } from "@cardbridge/domain";
import type { PreparedRecord } from "./prepare-record.ts";

/** The result of a new record: the caller sends it, or a worker does (`unsent`). */
export function creationResult(
  record: KycRecord,
  { request, providerFingerprint }: PreparedRecord,
): CreateResult {
  const { submission, maxUnsent } = request;
  if (maxUnsent !== undefined) return { kind: "unsent", record };
  const attempt: Attempt = {
    record,
    submission,
    fingerprint: providerFingerprint,
    step: "send",
    notFound: 0,
  };
  return { kind: "new", record, attempt };
}
