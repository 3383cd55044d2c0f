import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ApiError } from "../api-error.ts";
import { violationOf } from "../models/check.ts";
import type { Model } from "../models/models.ts";
import type { RequestContext } from "./context.ts";

/**
 * Reads the body and compares it with a model of the SDK. Airwallex ignores unknown fields; here they are errors.
 * @throws ApiError invalid_argument with the first violation
 */
export function readBody<T>(context: RequestContext, model: Model): T {
  const value = parse(context.get("body").toString());
  const violation = violationOf(model, value);
  if (violation) throw new ApiError("invalid_argument", violation.message, violation.source);
  return value as T;
}

/**
 * Answers JSON after it is compared with a model of the SDK.
 * @throws Error when the fake itself is wrong
 */
export function answer(
  context: RequestContext,
  model: Model,
  value: object,
  status: ContentfulStatusCode = 200,
): Response {
  const body = JSON.stringify(value);
  const violation = violationOf(model, JSON.parse(body));
  if (violation) throw new Error(`The answer is no ${model}: ${violation.message}`);
  return context.body(body, status, { "content-type": "application/json" });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("invalid_argument", "The body is not JSON.");
  }
}
