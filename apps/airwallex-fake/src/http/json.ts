import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ApiError } from "../api-error.ts";
import { violationOf } from "../models/check.ts";
import type { Model } from "../models/models.ts";
import type { RequestContext } from "./context.ts";

/**
 * Parses the body and validates it against a model of the SDK. Unknown fields, which Airwallex ignores, are errors.
 * @throws ApiError invalid_argument with the first violation
 */
export function readBody<T>(context: RequestContext, model: Model): T {
  const value = parse(context.get("body").toString());
  const violation = violationOf(model, value);
  if (violation) throw new ApiError("invalid_argument", violation.message, violation.source);
  return value as T;
}

/**
 * Responds with JSON after validating it against a model of the SDK.
 * @throws Error if the value does not match the model, which is a defect of the fake
 */
export function answer(
  context: RequestContext,
  model: Model,
  value: object,
  status: ContentfulStatusCode = 200,
): Response {
  const body = JSON.stringify(value);
  const violation = violationOf(model, JSON.parse(body));
  if (violation) throw new Error(`The response does not match ${model}: ${violation.message}`);
  return context.body(body, status, { "content-type": "application/json" });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("invalid_argument", "The body is not JSON.");
  }
}
