import { type ErrorCode, Failure } from "@cardbridge/domain";
import type { TRPC_ERROR_CODE_KEY, TRPCError, TRPCErrorShape } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { errorMapping } from "../errors/mapping.ts";
import { type Problem, toProblem } from "../errors/problem.ts";
import type { TrpcContext } from "./context.ts";

/** tRPC's own errors, those that no operation threw, in our vocabulary. */
const ownErrors: Partial<Record<TRPC_ERROR_CODE_KEY, ErrorCode>> = {
  BAD_REQUEST: "MALFORMED_REQUEST",
  PARSE_ERROR: "MALFORMED_REQUEST",
  NOT_FOUND: "ROUTE_NOT_FOUND",
  METHOD_NOT_SUPPORTED: "METHOD_NOT_ALLOWED",
  PAYLOAD_TOO_LARGE: "PAYLOAD_TOO_LARGE",
  UNSUPPORTED_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
};

export function failureOf(error: TRPCError | undefined): Failure {
  if (error?.cause instanceof Failure) return error.cause;
  return new Failure((error && ownErrors[error.code]) ?? "INTERNAL_ERROR", { cause: error });
}

/** The body of a tRPC error: tRPC's own shape, with our problem in `data.problem` (gap G2). */
export type TrpcErrorShape = TRPCErrorShape<{
  code: TRPC_ERROR_CODE_KEY;
  httpStatus: number;
  path?: string;
  problem: Problem;
}>;

export function toErrorShape(
  failure: Failure,
  requestId: string,
  { type, path }: { type: string; path?: string | undefined },
): TrpcErrorShape {
  const { status, trpc } = errorMapping[failure.code];
  const problem = toProblem(failure, requestId, type === "query" ? "parameter" : "pointer");
  return {
    message: inOneSentence(problem),
    code: TRPC_ERROR_CODES_BY_KEY[trpc],
    data: { code: trpc, httpStatus: status, ...(path === undefined ? {} : { path }), problem },
  };
}

/** What is wrong with the request as a whole says more than the code's own sentence. */
function inOneSentence({ message, errors: [first, ...more] }: Problem): string {
  return first?.path === "" && more.length === 0 ? first.message : message;
}

/** tRPC's error formatter: whatever was thrown, only a failure's own content is shown. */
export function formatError({
  error,
  type,
  path,
  ctx,
}: {
  error: TRPCError;
  type: string;
  path: string | undefined;
  ctx: TrpcContext | undefined;
}): TrpcErrorShape {
  // Only an operation's own failure proves that the path is a procedure's name, and not a value of the caller's.
  const known = error.cause instanceof Failure ? path : undefined;
  return toErrorShape(failureOf(error), ctx?.requestId ?? "", { type, path: known });
}
