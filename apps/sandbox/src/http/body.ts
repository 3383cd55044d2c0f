import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { ApiError } from "../api-error.ts";
import type { Env, RequestContext } from "./context.ts";

const maxBytes = 1024 * 1024;

/**
 * Reads the raw body once, for the signature check and the route. A body over 1 MB is a too_large error. It is still
 * read to its end, because a client that is still sending may not read the response.
 */
export const bodyReader = createMiddleware<Env>(async (context, next) => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of context.env.incoming) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  if (size > maxBytes) throw new ApiError("too_large", `A body has at most ${maxBytes} bytes.`);
  context.set("body", Buffer.concat(chunks));
  await next();
});

/**
 * Parses the body as JSON.
 * @throws ApiError bad_request when it is not UTF-8, not JSON, or does not match the schema
 */
export function readJson<T>(context: RequestContext, schema: z.ZodType<T>): T {
  return parse(json(context.get("body")), schema);
}

/**
 * Parses a value.
 * @throws ApiError bad_request, with the reasons in its message
 */
export function parse<T>(value: unknown, schema: z.ZodType<T>): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new ApiError("bad_request", z.prettifyError(result.error));
  return result.data;
}

function json(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError("bad_request", "The body is not JSON.");
  }
}
