import type { Failure } from "@cardbridge/domain";
import { problemHeaders } from "../errors/problem.ts";
import { toErrorShape } from "./errors.ts";

/** An error from outside tRPC, in the shape that a tRPC client reads. */
export function renderTrpcError(
  failure: Failure,
  requestId: string,
  method: string,
  headers: Record<string, string> = {},
): Response {
  const error = toErrorShape(failure, requestId, { type: method === "GET" ? "query" : "mutation" });
  return new Response(JSON.stringify({ error }), {
    status: error.data.httpStatus,
    headers: { "content-type": "application/json", ...problemHeaders(failure), ...headers },
  });
}
