import type { Failure } from "@cardbridge/domain";
import { errorMapping } from "./mapping.ts";
import { type PathStyle, problemHeaders, toProblem } from "./problem.ts";
import { toTrpcShape } from "./trpc-shape.ts";

/** The shape of an error: RFC 9457, or the one that tRPC's clients read (gap G2). */
export type ErrorFormat = "problem" | "trpc";

export interface RenderOptions {
  requestId: string;
  style: PathStyle;
  format: ErrorFormat;
  /** Headers beside those that every such error has. */
  headers?: Record<string, string>;
}

export interface RenderedError {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Renders an error: the one function for all that answers, from the server to the transports. */
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

/** The same as a web Response. */
export function errorResponse(failure: Failure, options: RenderOptions): Response {
  const { body, ...init } = renderError(failure, options);
  return new Response(body, init);
}

/** How inputs are named under a method: queries have parameters, bodies have pointers. */
export function styleOf(method: string): PathStyle {
  return method === "GET" || method === "HEAD" ? "parameter" : "pointer";
}
