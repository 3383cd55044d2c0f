import {
  type Attempt,
  type AttemptReport,
  AttemptSuperseded,
  applyVerdict,
  ExternalFileError,
  Failure,
  isFinal,
  type KycRecord,
  type KycVerdict,
  type ProviderFiles,
  type ProviderReply,
  type ProviderSteps,
  planRetry,
  reasonOf,
} from "@cardbridge/domain";
import { recordRequests } from "../document-requests/record.ts";
import { sendAnswer } from "../document-requests/send.ts";
import type { Ports } from "../operation/ports.ts";
import { observeChange, observeUnmapped } from "./observe.ts";

export type AttemptPorts = Pick<
  Ports,
  | "provider"
  | "kycRecords"
  | "observer"
  | "database"
  | "personalDataKeys"
  | "ids"
  | "leaseSeconds"
  | "callSeconds"
> &
  FilePorts;

/** The result of one attempt. */
export interface AttemptResult {
  reply: ProviderReply;
  /** The record after the attempt. */
  record: KycRecord;
  /** The number of consecutive not-found replies, with this one. */
  notFound: number;
  /** False if the reply could not be stored, or another attempt owns the record. */
  stored: boolean;
}

/**
 * Makes one attempt to resolve a submission and stores the provider's reply. Requests, the worker and operators all use
 * it. It calls the provider outside any transaction and never throws: without a stored reply, the record stays due
 * (gap G14).
 *
 * @param by `submission`, `worker`, or the actor of a manual attempt
 */
export async function runAttempt(
  ports: AttemptPorts,
  platformId: string,
  attempt: Attempt,
  by: string,
): Promise<AttemptResult> {
  const start = performance.now();
  const reply = await callProvider(ports, platformId, attempt).catch(toUnknown);
  const notFound = reply.outcome === "not-found" ? attempt.notFound + 1 : 0;
  const report = {
    step: attempt.step,
    outcome: reply.outcome,
    reason: "reason" in reply ? reply.reason : null,
    milliseconds: Math.round(performance.now() - start),
    by,
  };
  ports.observer.observe("kyc_attempt", { step: attempt.step, outcome: reply.outcome });
  try {
    if (reply.outcome === "answered" || reply.outcome === "refused") {
      if (reply.outcome === "answered") await followRequests(ports, platformId, attempt, reply);
      const record = await storeVerdict(ports, platformId, attempt, reply, report);
      return { reply, record, notFound, stored: record.attempt === attempt.record.attempt };
    }
    ports.observer.observe("kyc_outcome_unknown", {
      step: attempt.step,
      outcome: reply.outcome,
      reason: report.reason ?? reply.outcome,
      kycRecordId: attempt.record.kycRecordId,
    });
    await ports.kycRecords.reschedule(platformId, attempt.record, planRetry(attempt, reply), report);
    return { reply, record: attempt.record, notFound, stored: true };
  } catch (error) {
    // After the lease expires, another attempt queries the provider for the outcome.
    ports.observer.observe("kyc_not_stored", {
      outcome: reply.outcome,
      reason: reasonOf(error),
      kycRecordId: attempt.record.kycRecordId,
    });
    return { reply, record: attempt.record, notFound, stored: false };
  }
}

async function callProvider(
  ports: AttemptPorts,
  platformId: string,
  attempt: Attempt,
): Promise<ProviderReply> {
  const { kycRecordId, externalUserId } = attempt.record;
  const steps = stepsOf(ports, platformId, attempt);
  const query = { reference: kycRecordId, userReference: externalUserId, steps };
  if (attempt.step === "ask") return ports.provider.findKyc(query);
  // The process was delayed. Once the lease ends, another attempt may send, and this call would be the second one.
  if (performance.now() > attempt.sendBefore) return { outcome: "unsent", reason: "delayed" };
  const { submission, fingerprint } = attempt;
  const { memberId: _, ...applicant } = submission;
  const files = submissionFiles(ports, platformId);
  const { renews } = attempt.record;
  return ports.provider.submitKyc({ ...query, applicant, fingerprint, files, renews });
}

/**
 * Stores the provider's requests for documents and sends an answer, before the verdict ends the lease. A final decision
 * closes the requests.
 */
async function followRequests(
  ports: AttemptPorts,
  platformId: string,
  attempt: Attempt,
  verdict: Extract<KycVerdict, { outcome: "answered" }>,
): Promise<void> {
  const { record } = attempt;
  if (!verdict.requests?.length || isFinal(applyVerdict(record, verdict))) return;
  const reference = { reference: record.kycRecordId, userReference: record.externalUserId };
  await recordRequests(ports, platformId, reference, verdict.requests, "provider");
  if (attempt.step === "send") return;
  const sending = {
    record,
    reports: verdict.requests,
    steps: stepsOf(ports, platformId, attempt),
    files: submissionFiles(ports, platformId),
  };
  await sendAnswer(ports, platformId, sending).catch((error: unknown) => {
    ports.observer.observe("document_request_answer", {
      outcome: "unknown",
      kycRecordId: record.kycRecordId,
    });
    if (toUnknown(error).reason === "internal") throw error;
  });
}

function stepsOf({ kycRecords }: AttemptPorts, platformId: string, { record }: Attempt): ProviderSteps {
  return {
    done: (name) => kycRecords.findStep(platformId, record, name),
    keep: (name, result) => kycRecords.keepStep(platformId, record, name, result),
  };
}

/** If a step or a file fails between two calls, the outcome is unknown, and the next attempt queries it first. */
function toUnknown(error: unknown): Extract<ProviderReply, { outcome: "unknown" }> {
  if (error instanceof AttemptSuperseded) return { outcome: "unknown", reason: "attempt-superseded" };
  if (error instanceof ExternalFileError) return { outcome: "unknown", reason: "external-file" };
  if (!(error instanceof Failure)) return { outcome: "unknown", reason: "internal" };
  return { outcome: "unknown", reason: error.code === "FILE_NOT_FOUND" ? "file-not-found" : "not-stored" };
}

async function storeVerdict(
  { kycRecords, observer }: AttemptPorts,
  platformId: string,
  attempt: Attempt,
  verdict: KycVerdict,
  report: AttemptReport,
): Promise<KycRecord> {
  observeUnmapped(observer, attempt.record, verdict);
  const change = await kycRecords.storeVerdict(platformId, attempt.record, verdict, report);
  observeChange(observer, change);
  return change.record;
}

interface FilePorts {
  files: Pick<Ports["files"], "read">;
  fileUrls: Pick<Ports["fileUrls"], "fileIdOf" | "signed">;
  externalFiles?: Ports["externalFiles"];
}

/** The files of a platform's submissions, for the provider. URLs are signed on request, because they expire. */
function submissionFiles({ files, fileUrls, externalFiles }: FilePorts, platformId: string): ProviderFiles {
  return {
    url: fileUrls.signed,
    async open(fileUrl) {
      const fileId = fileUrls.fileIdOf(fileUrl);
      if (fileId === undefined) {
        if (!externalFiles) throw new ExternalFileError("not-allowed");
        return externalFiles.read(fileUrl);
      }
      const file = fileId === null ? null : await files.read(platformId, fileId);
      if (!file) throw new Failure("FILE_NOT_FOUND");
      return new Blob([new Uint8Array(file.bytes)], { type: file.contentType });
    },
  };
}
