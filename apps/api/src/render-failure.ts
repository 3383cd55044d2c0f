import type { Failure } from "@cardbridge/domain";
import { renderProblem } from "./rest/app.ts";
import { trpcPath } from "./trpc/guards.ts";
import { renderTrpcError } from "./trpc/render-error.ts";

/** A failure outside of any operation, in the shape that callers of that path read. */
export function renderFailure(
  failure: Failure,
  requestId: string,
  { path, method }: { path: string; method: string },
): Response {
  return path === trpcPath || path.startsWith(`${trpcPath}/`)
    ? renderTrpcError(failure, requestId, method)
    : renderProblem(failure, requestId, method === "GET" ? "parameter" : "pointer");
}
