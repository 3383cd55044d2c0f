import {
  type ErrorCode,
  errorBody,
  errorFields,
  errorsOf,
  extensibleEnum,
  type Failure,
  kycResult,
  messages,
  toErrorBody,
  toPointer,
  type Violation,
} from "@cardbridge/domain";
import * as z from "zod";
import { errorMapping } from "./mapping.ts";
import { problemType } from "./problem-type.ts";

const errorCodes = Object.keys(errorMapping) as [ErrorCode, ...ErrorCode[]];

const { externalUserId, subStatus, cardAccountId, final } = kycResult.shape;

/** The fields of a refused record, with KYC_REFUSED only. */
const refusedFields = {
  externalUserId: externalUserId.optional(),
  subStatus: subStatus.optional(),
  cardAccountId: cardAccountId.optional(),
  final,
};

/** The error body (gap G2): RFC 9457 with the interface's fields success, code and message. */
export const problem = z
  .object({
    type: z
      .string()
      .meta({ description: "The kind of error: a path of this service, whose page explains it." }),
    title: z.string().meta({ description: "The kind of error in a few words." }),
    success: z.literal(false),
    code: z.enum(errorCodes),
    message: z.string().meta({ description: "Platform response message." }),
    status: z
      .null()
      .optional()
      .meta({
        description:
          "Null, with errors of KYC operations, and of requests whose operation is unknown: no error has a KYC status. It " +
          "is not the HTTP status.",
      }),
    ...errorFields,
    requestId: z.string().meta({
      description: "The request id, as in the header x-request-id. Include it in support requests.",
    }),
    kycRecordId: z.string().optional().meta({ description: "The KYC record that the error is about." }),
    ...refusedFields,
  })
  .meta({ id: "Problem" });

/** The published schema of the error body, with the known codes and rule ids. Both may grow (gap G23). */
export function problemWith(codes: readonly ErrorCode[], ruleIds: readonly string[]) {
  const [first = "INTERNAL_ERROR", ...others] = codes;
  const code = extensibleEnum([first, ...others]).meta({
    description: "The kind of error. Tolerate new codes.",
  });
  const known = { examples: ruleIds.slice(0, 5), "x-known-values": ruleIds };
  const errors = errorsOf(errorBody.extend({ rule: errorBody.shape.rule.meta(known) }));
  return problem.extend({ code, errors }).meta(problem.meta() ?? {});
}

export type Problem = z.output<typeof problem>;

/** The notation of paths: parameter names, or JSON Pointers into a body. */
export type PathStyle = "parameter" | "pointer";

export interface ProblemOptions {
  requestId: string;
  style: PathStyle;
  /** Whether the error is of a KYC operation (gap G15). */
  ofKyc: boolean;
}

/** The body of an error (gap G2). */
export function toProblem(failure: Failure, { requestId, style, ofKyc }: ProblemOptions): Problem {
  const { code, details } = failure;
  const kycRecordId = details.kycRecordId === undefined ? {} : { kycRecordId: details.kycRecordId };
  return {
    type: problemType(code),
    title: titleOf(code),
    success: false,
    code,
    message: messages[code],
    ...(ofKyc ? { status: null } : {}),
    ...toErrorBody(details.violations ?? [], (path) => writePath(path, style)),
    requestId,
    ...kycRecordId,
    ...details.refused,
  };
}

/** The headers of an error response, besides its body's. */
export function problemHeaders({ code, details }: Failure): Record<string, string> {
  return {
    ...(errorMapping[code].status === 401 ? { "www-authenticate": 'Bearer realm="cardbridge"' } : {}),
    ...(code === "REQUEST_TIMEOUT" ? { connection: "close" } : {}),
    ...(details.retryAfterSeconds === undefined ? {} : { "retry-after": String(details.retryAfterSeconds) }),
    ...replayHeader(details.replayed),
  };
}

/** The header of a response that repeats an earlier response (gaps G16 and G20). */
export function replayHeader(replayed: boolean | undefined): Record<string, string> {
  return replayed ? { "idempotent-replayed": "true" } : {};
}

function writePath(path: Violation["path"], style: PathStyle): string {
  return style === "parameter" ? path.join(".") : toPointer(path);
}

function titleOf(code: ErrorCode): string {
  const words = code.toLowerCase().replaceAll("_", " ").replace("kyc", "KYC").replace("uri", "URI");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
