import { ProblemError, TimeoutError } from "./errors.ts";
import { type KycConflict, type KycDecision, toDecision } from "./kyc-decision.ts";
import type { CallOptions, SubmitOptions } from "./options.ts";
import { checkKey, jsonBody, type Send, segment } from "./request.ts";
import type { Runtime } from "./runtime.ts";
import type {
  DocumentRequest,
  DocumentRequestAnswer,
  KycDraft,
  KycHistory,
  KycLookup,
  KycReading,
  KycRecordId,
  KycRequirements,
  KycRequirementsQuery,
  KycResult,
  KycSubmission,
  KycValidation,
} from "./types.ts";
import { createWaitForDecision, type WaitOptions } from "./wait-for-decision.ts";

/** The operations on identity verification. */
export interface Kyc {
  /**
   * Submits a user's KYC, or replays it, and waits for its decision as `waitForDecision` does. A refusal (422) and the
   * user's open or approved record of another body (409) are cases of the result. If no read succeeds in time, the record
   * has only what the submission returned.
   */
  decide(submission: KycSubmission, options?: SubmitOptions): Promise<KycDecision | KycConflict>;
  /** Submits a user's KYC. All attempts of a call have the same Idempotency-Key. */
  submit(submission: KycSubmission, options?: SubmitOptions): Promise<KycResult>;
  /** Validates a submission without storing or sending it. With an idempotencyKey, it also checks for a replay. */
  validate(draft: KycDraft, options?: SubmitOptions): Promise<KycValidation>;
  /** Describes the requirements of a submission of this user. */
  requirements(known?: KycRequirementsQuery, options?: CallOptions): Promise<KycRequirements>;
  /** Reads the standing approval of a user with its renewal, or the latest result of a user without one. */
  get(user: KycLookup, options?: CallOptions): Promise<KycReading>;
  /** Reads a record with its history. */
  history(record: KycRecordId, options?: CallOptions): Promise<KycHistory>;
  /**
   * Polls a record until it is approved, rejected or refused, or until the provider asks for a document; at the end of
   * `timeoutMs`, it is `pending`. While the approval that the record renews stands, the decision is `approved`, and
   * `renewal` is that on the record. Accepts a submission's result or a record's id.
   */
  waitForDecision(record: KycRecordId, options?: WaitOptions): Promise<KycDecision>;
  /** Answers a request of the provider for a document. The service sends the files; then wait again. */
  answerRequest(answer: DocumentRequestAnswer, options?: CallOptions): Promise<DocumentRequest>;
}

export function createKyc(send: Send, runtime: Runtime): Kyc {
  const history: Kyc["history"] = async ({ kycRecordId }, options) =>
    send({ method: "GET", path: `/users/kyc/${segment("kycRecordId", kycRecordId)}` }, options);
  const submit: Kyc["submit"] = async (
    submission,
    { idempotencyKey = crypto.randomUUID(), ...options } = {},
  ) => {
    const headers = { "idempotency-key": checkKey(idempotencyKey) };
    return send({ method: "POST", path: "/users/kyc", headers, body: jsonBody(submission) }, options);
  };
  const get: Kyc["get"] = (query, options) => send({ method: "GET", path: "/users/kyc", query }, options);
  const waitForDecision = createWaitForDecision(
    {
      history,
      async standing({ memberId }, options) {
        // An erased user has none.
        if (memberId === null) return undefined;
        const approval = await history(await get({ memberId }, options()), options());
        return approval.status === "APPROVED" ? approval : undefined;
      },
    },
    runtime,
  );
  return {
    decide: createDecide({ submit, history, waitForDecision }, runtime),
    submit,
    async validate(draft, { idempotencyKey, ...options } = {}) {
      const headers: Record<string, string> =
        idempotencyKey === undefined ? {} : { "idempotency-key": checkKey(idempotencyKey) };
      return send({ method: "POST", path: "/users/kyc/validate", headers, body: jsonBody(draft) }, options);
    },
    requirements: (query = {}, options) =>
      send({ method: "GET", path: "/users/kyc/requirements", query }, options),
    get,
    history,
    waitForDecision,
    async answerRequest({ kycRecordId, documentRequestId, files }, options) {
      const record = `/users/kyc/${segment("kycRecordId", kycRecordId)}`;
      const path = `${record}/requests/${segment("documentRequestId", documentRequestId)}`;
      return send({ method: "POST", path, body: jsonBody({ files }) }, options);
    },
  };
}

interface Calls {
  submit(submission: KycSubmission, options: SubmitOptions): Promise<KycResult>;
  history(record: KycRecordId, options: CallOptions): Promise<KycHistory>;
  waitForDecision(record: KycRecordId, options: CallOptions): Promise<KycDecision>;
}

/** Creates the function that submits, or replays, a KYC and waits for its decision. */
function createDecide({ submit, history, waitForDecision }: Calls, runtime: Runtime) {
  return async function decide(
    submission: KycSubmission,
    { timeoutMs, signal, idempotencyKey }: SubmitOptions = {},
  ): Promise<KycDecision | KycConflict> {
    const start = runtime.now();
    const result = await submit(submission, { timeoutMs, signal, idempotencyKey }).catch(recordOfProblem);
    const rest =
      timeoutMs === undefined ? {} : { timeoutMs: Math.max(0, timeoutMs - (runtime.now() - start)) };
    if (result.code !== "KYC_ALREADY_SUBMITTED") {
      return waitForDecision(result, { signal, ...rest }).catch((error: unknown) => {
        // The submission is stored: the caller needs its record although no read succeeded in time. Only a read shows
        // whether a rejected record is a renewal, whose approval stands.
        const isStored = "status" in result && result.status !== "REJECTED";
        if (!(error instanceof TimeoutError && isStored)) throw error;
        return toDecision({
          ...result,
          memberId: submission.memberId,
          documentExpiry: null,
          renews: null,
          requests: [],
          history: [],
        });
      });
    }
    const record = await history(result, { signal, ...rest });
    return { decision: "conflict", reasons: [], final: false, record };
  };
}

/** The record that an error of a submission is about: the refused one, or the one that it conflicts with. */
function recordOfProblem(error: unknown): Pick<KycResult, "code" | "kycRecordId"> {
  if (!(error instanceof ProblemError)) throw error;
  const { code, kycRecordId } = error.problem;
  if (!["KYC_REFUSED", "KYC_ALREADY_SUBMITTED"].includes(code) || kycRecordId === undefined) throw error;
  return { code, kycRecordId };
}
