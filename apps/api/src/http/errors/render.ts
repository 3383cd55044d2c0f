import type { Failure } from "@cardbridge/domain";
import { isKyc, isTrpc } from "../../config/paths.ts";
import { errorMapping } from "./mapping.ts";
import { type PathStyle, problemHeaders, toProblem } from "./problem.ts";
import { toTrpcShape } from "./trpc-shape.ts";

export interface RenderOptions {
  requestId: string;
  method: string;
  /** The path of the request; empty if it is unknown. */
  path: string;
  /** Additional headers. */
  headers?: Record<string, string>;
}

export interface RenderedError {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Renders an error for the server and all transports: as RFC 9457 or in tRPC's format (gap G2). */
export function renderError(
  failure: Failure,
  { requestId, method, path, headers = {} }: RenderOptions,
): RenderedError {
  const isProblem = !isTrpc(path);
  // A request that Node cannot parse has no path. It may be of a KYC operation (gap G15).
  const ofKyc = path === "" || isKyc(path);
  const options = { requestId, style: styleOf(method), ofKyc };
  const body = isProblem ? toProblem(failure, options) : { error: toTrpcShape(failure, options) };
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
