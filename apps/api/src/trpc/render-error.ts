import type { Failure } from "@cardbridge/domain";
import { problemHeaders } from "../problem.ts";
import { type TrpcErrorShape, toErrorShape } from "./errors.ts";

/** An error from outside tRPC, in the shape that a tRPC client reads. */
export function renderTrpcError(
  failure: Failure,
  requestId: string,
  method: string,
  headers: Record<string, string> = {},
): Response {
  const shape = toErrorShape(failure, requestId, { type: method === "GET" ? "query" : "mutation" });
  return renderShape(shape, failure, headers);
}

/** An error's shape as the answer, with the headers that its failure brings. */
export function renderShape(
  shape: TrpcErrorShape,
  failure: Failure,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify({ error: shape }), {
    status: shape.data.httpStatus,
    headers: { "content-type": "application/json", ...problemHeaders(failure), ...headers },
  });
}
