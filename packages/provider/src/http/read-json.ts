import type { HttpResponse } from "@cardbridge/egress";
import type * as z from "zod";
import type { Reason } from "./call-result.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a complete body as strict UTF-8 JSON in the given shape, or returns the reason why it is invalid. The errors of
 * the decoder and the parser quote the body, so they are dropped.
 */
export function readJson<S extends z.ZodType>(
  { bytes, broken }: HttpResponse,
  shape: S,
): { data: z.output<S> } | { reason: Reason } {
  if (broken) return { reason: broken };
  let text: string;
  let json: unknown;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { reason: "not-utf8" };
  }
  try {
    json = JSON.parse(text);
  } catch {
    return { reason: "not-json" };
  }
  const { data, success } = shape.safeParse(json);
  return success ? { data } : { reason: "wrong-shape" };
}

/** The body in the given shape; undefined for anything else. */
export function dataIn<S extends z.ZodType>(response: HttpResponse, shape: S): z.output<S> | undefined {
  const read = readJson(response, shape);
  return "data" in read ? read.data : undefined;
}
