import { Failure, type KycResult, toErrorBody, toPointer } from "@cardbridge/domain";
import type { Call, Operations, Ports } from "@cardbridge/service";

/** A call of a platform's key. */
export const aPlatformsCall = (platformId: string, idempotencyKey?: string): Call => ({
  kind: "platform",
  platformId,
  scopes: new Set(["kyc:write", "kyc:read"]),
  actor: "key_1",
  requestId: "req_1",
  address: null,
  idempotencyKey,
});

/** The result of a submission that a validation can predict: everything except the provider's decision. */
export interface Compared {
  submission: string;
  code: string | null;
  errors: readonly unknown[];
  omittedErrors?: number | undefined;
  kycRecordId: string | null;
}

/** Validates a body and then submits it in the same state. Returns both results. */
export async function validateByBoth(kyc: Operations["kyc"], ports: Ports, call: Call, body: unknown) {
  const validated = await kyc.validate.execute(ports, call, body).then(
    ({ data }) => data,
    (error: unknown) => toComparedFailure(error),
  );
  const submitted = await kyc.submit
    .execute(ports, call, body)
    .then(toComparedResult, (error: unknown) => toComparedFailure(error));
  return { validated, submitted };
}

/** The fields that both have. */
export const comparable = ({ submission, code, errors, omittedErrors, kycRecordId }: Compared): Compared => ({
  submission,
  code,
  errors,
  omittedErrors,
  kycRecordId,
});

const accepted = { code: null, errors: [], omittedErrors: undefined };

function toComparedResult({ data, replayed }: { data: KycResult; replayed?: boolean }): Compared {
  if (!replayed) return { ...accepted, submission: "new", kycRecordId: null };
  return { ...accepted, submission: "replay", kycRecordId: data.kycRecordId };
}

function toComparedFailure(error: unknown): Compared {
  if (!(error instanceof Failure)) throw error;
  const { code, details } = error;
  // The provider refused it: for the service it was a new submission.
  if (code === "KYC_REFUSED" && !details.replayed)
    return { ...accepted, submission: "new", kycRecordId: null };
  const kinds: Record<string, string> = { INVALID_INPUT: "invalid", KYC_REFUSED: "replay" };
  const { errors, omittedErrors } = toErrorBody(details.violations ?? [], toPointer);
  return {
    submission: kinds[code] ?? "conflict",
    code,
    errors,
    omittedErrors,
    kycRecordId: details.kycRecordId ?? null,
  };
}
