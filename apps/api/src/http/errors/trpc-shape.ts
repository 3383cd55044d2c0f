import type { Failure } from "@cardbridge/domain";
import type { TRPC_ERROR_CODE_KEY, TRPCErrorShape } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { errorMapping } from "./mapping.ts";
import { type Problem, type ProblemOptions, toProblem } from "./problem.ts";

/** The body of a tRPC error: tRPC's own shape, with our problem in `data.problem` (gap G2). */
export type TrpcErrorShape = TRPCErrorShape<{
  code: TRPC_ERROR_CODE_KEY;
  httpStatus: number;
  path?: string;
  problem: Problem;
}>;

export function toTrpcShape(
  failure: Failure,
  { path, ...options }: ProblemOptions & { path?: string | undefined },
): TrpcErrorShape {
  const { status, trpc } = errorMapping[failure.code];
  const problem = toProblem(failure, options);
  return {
    message: firstMessage(problem),
    code: TRPC_ERROR_CODES_BY_KEY[trpc],
    data: { code: trpc, httpStatus: status, ...(path === undefined ? {} : { path }), problem },
  };
}

/** A single violation of the whole request is more specific than the code's message. */
function firstMessage({ message, errors: [first, ...more] }: Problem): string {
  return first?.path === "" && more.length === 0 ? first.message : message;
}
