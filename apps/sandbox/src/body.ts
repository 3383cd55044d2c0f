import { createMiddleware } from "hono/factory";
import * as z from "zod";
import type { Call, Env } from "./context.ts";
import { Problem } from "./problem.ts";

const maxBytes = 1024 * 1024;

/**
 * Reads the body's bytes as they came, once, for the signature and for the route. Throws too_large over
 * 1 MB; it reads on to the end all the same, so that the client gets to hear it.
 */
export const bodyReader = createMiddleware<Env>(async (call, next) => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of call.env.incoming) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  if (size > maxBytes) throw new Problem("too_large", `A body has at most ${maxBytes} bytes.`);
  call.set("body", Buffer.concat(chunks));
  await next();
});

/** The body of a request as parsed JSON. Throws bad_request when it is no UTF-8, no JSON, or breaks the schema. */
export function readJson<T>(call: Call, schema: z.ZodType<T>): T {
  return parse(json(call.get("body")), schema);
}

/** Parses a value. Throws bad_request with what is wrong with it. */
export function parse<T>(value: unknown, schema: z.ZodType<T>): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new Problem("bad_request", z.prettifyError(result.error));
  return result.data;
}

function json(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Problem("bad_request", "The body is not JSON.");
  }
}
