import {
  type ErrorCode,
  type Failure,
  growingEnum,
  kycResult,
  messages,
  type Violation,
} from "@cardbridge/domain";
import * as z from "zod";
import { errorMapping } from "./mapping.ts";
import { problemType } from "./problem-type.ts";

/** The maximum number of violations in a body. A request can have thousands. */
const maxErrors = 100;

const errorCodes = Object.keys(errorMapping) as [ErrorCode, ...ErrorCode[]];

const { externalUserId, subStatus, cardAccountId, final } = kycResult.shape;

/** The fields of a refused record, with KYC_REFUSED only. Its status is null; `status` is the HTTP status here. */
const refusedFields = {
  externalUserId: externalUserId.optional(),
  subStatus: subStatus.optional(),
  cardAccountId: cardAccountId.optional(),
  final,
};

/** One violation, or one reason of a refusal. */
const problemError = z.object({
  path: z.string().meta({
    description:
      "The invalid input: a parameter's name, or a JSON Pointer into the body; empty for no single input.",
  }),
  rule: z.string().meta({ description: "The id of the violated rule. Tolerate new ids." }),
  message: z.string().meta({ description: "How to correct the input." }),
});

/** The error body (gap G2): RFC 9457 with the interface's fields success, code and message. */
export const problem = z
  .object({
    type: z
      .string()
      .meta({ description: "The kind of error: a path of this service, whose page explains it." }),
    title: z.string().meta({ description: "The kind of error in a few words." }),
    status: z.int().meta({ description: "The HTTP status." }),
    success: z.literal(false),
    code: z.enum(errorCodes),
    message: z.string().meta({ description: "Platform response message." }),
    errors: errorsOf(problemError),
    omittedErrors: z
      .int()
      .min(1)
      .optional()
      .meta({ description: `The number of further violations, if there are more than ${maxErrors}.` }),
    requestId: z.string().meta({
      description: "The request id, as in the header x-request-id. Include it in support requests.",
    }),
    kycRecordId: z.string().optional().meta({ description: "The KYC record that the error is about." }),
    ...refusedFields,
  })
  .meta({ id: "Problem", "x-decision": "G2" });

/** The published schema of the error body, with the known codes and rule ids. Both may grow (gap G23). */
export function problemWith(codes: readonly ErrorCode[], ruleIds: readonly string[]) {
  const [first = "INTERNAL_ERROR", ...others] = codes;
  const code = growingEnum([first, ...others]).meta({
    description: "The kind of error. Tolerate new codes.",
  });
  const known = { examples: ruleIds.slice(0, 5), "x-known-values": ruleIds, "x-decision": "G23" };
  const errors = errorsOf(problemError.extend({ rule: problemError.shape.rule.meta(known) }));
  return problem.extend({ code, errors }).meta(problem.meta() ?? {});
}

function errorsOf<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .max(maxErrors)
    .meta({
      description:
        `All violations of the request, up to ${maxErrors}, or the reasons of a refusal (KYC_REFUSED), with their ` +
        "codes as rules; empty for other errors.",
    });
}

export type Problem = z.output<typeof problem>;

/** The notation of paths: parameter names, or JSON Pointers into a body. */
export type PathStyle = "parameter" | "pointer";

/** The body of an error (gap G2). */
export function toProblem(failure: Failure, requestId: string, style: PathStyle): Problem {
  const { code, details } = failure;
  const violations = details.violations ?? [];
  const omitted = violations.length - maxErrors;
  const kycRecordId = details.kycRecordId === undefined ? {} : { kycRecordId: details.kycRecordId };
  return {
    type: problemType(code),
    title: titleOf(code),
    status: errorMapping[code].status,
    success: false,
    code,
    message: messages[code],
    errors: violations.slice(0, maxErrors).map(({ path, rule, message }) => ({
      path: writePath(path, style),
      rule,
      message,
    })),
    ...(omitted > 0 ? { omittedErrors: omitted } : {}),
    requestId,
    ...kycRecordId,
    ...details.refused,
  };
}

/** The headers of an error response, besides its body's. */
export function problemHeaders({ code, details }: Failure): Record<string, string> {
  return {
    ...(code === "UNAUTHENTICATED" ? { "www-authenticate": 'Bearer realm="cardbridge"' } : {}),
    ...(code === "REQUEST_TIMEOUT" ? { connection: "close" } : {}),
    ...(details.retryAfterSeconds === undefined ? {} : { "retry-after": String(details.retryAfterSeconds) }),
    ...replayHeader(details.replayed),
  };
}

/** The header of a response that repeats an earlier one (gaps G16 and G20). */
export function replayHeader(replayed: boolean | undefined): Record<string, string> {
  return replayed ? { "idempotent-replayed": "true" } : {};
}

function writePath(path: Violation["path"], style: PathStyle): string {
  if (style === "parameter") return path.join(".");
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function titleOf(code: ErrorCode): string {
  const words = code.toLowerCase().replaceAll("_", " ").replace("kyc", "KYC").replace("uri", "URI");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
