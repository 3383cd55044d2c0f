import { type ExchangeOptions, exchange } from "@cardbridge/egress";
import type { Dispatcher } from "undici";
import type { CallResult } from "./call-result.ts";
import { parseJsonBody } from "./json-body.ts";

/** Sends one request and reads its complete response as JSON. Follows no redirect and never rejects. */
export async function exchangeJson(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: ExchangeOptions,
): Promise<CallResult> {
  const result = await exchange(dispatcher, request, { ...options, whole: true });
  if (result.kind !== "response") return result;
  const { status, retryAfter, bytes, broken } = result;
  const body = broken ? { valid: false as const, reason: broken } : parseJsonBody(bytes);
  return { kind: "response", status, retryAfter, body };
}
