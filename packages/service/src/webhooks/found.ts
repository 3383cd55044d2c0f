import { type ErrorCode, Failure } from "@cardbridge/domain";

/** @throws Failure WEBHOOK_ENDPOINT_NOT_FOUND, or `code`, for null. */
export function found<T>(value: T | null, code: ErrorCode = "WEBHOOK_ENDPOINT_NOT_FOUND"): T {
  if (value === null) throw new Failure(code);
  return value;
}
