import * as z from "zod";
import { ApiError } from "../api-error.ts";
import type { RequestContext } from "../http/context.ts";

/**
 * Reads the JSON of a request of a test.
 * @throws ApiError bad_request with every fault
 */
export async function parse<Schema extends z.ZodType>(
  context: RequestContext,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const result = schema.safeParse(await context.req.json().catch(() => undefined));
  if (!result.success) throw new ApiError("bad_request", z.prettifyError(result.error));
  return result.data;
}
