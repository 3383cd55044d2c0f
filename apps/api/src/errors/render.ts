import type { Failure } from "@cardbridge/domain";
import { errorMapping } from "./mapping.ts";
import { type PathStyle, problemHeaders, toProblem } from "./problem.ts";
import { toTrpcShape } from "./trpc-shape.ts";

/** The format of an error: RFC 9457, or tRPC's own (gap G2). */
type ErrorFormat = "problem" | "trpc";

export interface RenderOptions {
  requestId: string;
  style: PathStyle;
  format: ErrorFormat;
  /** Additional headers. */
  headers?: Record<string, string>;
}

export interface RenderedError {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Renders an error for the server and all transports. */
export function renderError(
  failure: Failure,
  { requestId, style, format, headers = {} }: RenderOptions,
): RenderedError {
  const isProblem = format === "problem";
  const body = isProblem
    ? toProblem(failure, requestId, style)
    : { error: toTrpcShape(failure, { requestId, style }) };
  return {
    status: errorMapping[failure.code].status,
    headers: {
      "content-type": isProblem ? "application/problem+json" : "application/json",
      "x-request-id": requestId,
      ...problemHeaders(failure),
      ...headers,
    },
    body: JSON.stringify(body),
  };
}

/** Renders an error as a web Response. */
export function errorResponse(failure: Failure, options: RenderOptions): Response {
  const { body, ...init } = renderError(failure, options);
  return new Response(body, init);
}

/** The path style of a method: parameters for reads, pointers for changes, as tRPC has them. */
export function styleOf(method: string): PathStyle {
  return method === "GET" || method === "HEAD" ? "parameter" : "pointer";
}
