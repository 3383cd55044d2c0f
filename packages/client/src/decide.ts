import { ProblemError, TimeoutError } from "./errors.ts";
import { type KycConflict, type KycDecision, toDecision } from "./kyc-decision.ts";
import type { CallOptions, SubmitOptions } from "./options.ts";
import type { Runtime } from "./runtime.ts";
import type { KycHistory, KycRecordId, KycResult, KycSubmission } from "./types.ts";

interface Calls {
  submit(submission: KycSubmission, options: SubmitOptions): Promise<KycResult>;
  history(record: KycRecordId, options: CallOptions): Promise<KycHistory>;
  waitForDecision(record: KycRecordId, options: CallOptions): Promise<KycDecision>;
}

/** Creates the function that submits, or replays, a KYC and waits for its decision. */
export function createDecide({ submit, history, waitForDecision }: Calls, runtime: Runtime) {
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
        // The submission is stored: the caller needs its record although no read succeeded in time.
        if (!(error instanceof TimeoutError && "status" in result)) throw error;
        return toDecision({ ...result, memberId: submission.memberId, history: [] });
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
