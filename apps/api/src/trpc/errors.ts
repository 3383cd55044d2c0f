import { type ErrorCode, Failure } from "@cardbridge/domain";
import type { TRPC_ERROR_CODE_KEY, TRPCError } from "@trpc/server";
import { isKyc, trpcPath } from "../config/paths.ts";
import { type TrpcErrorShape, toTrpcShape } from "../http/errors/trpc-shape.ts";
import type { TrpcContext } from "./context.ts";

/** Our codes for tRPC's own errors. */
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

/** tRPC's error formatter: only the content of a Failure is shown. */
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
  // Only a Failure proves that the path is a procedure's name and not arbitrary text of the caller.
  const known = error.cause instanceof Failure ? path : undefined;
  const style = type === "query" ? "parameter" : "pointer";
  const ofKyc = isKyc(`${trpcPath}/${path}`);
  return toTrpcShape(failureOf(error), { requestId: ctx?.requestId ?? "", style, ofKyc, path: known });
}
