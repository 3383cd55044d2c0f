import * as z from "zod";
import { ApiError } from "../api-error.ts";
import type { RequestContext } from "../http/context.ts";

/**
 * Parses and validates the JSON body of an admin request.
 * @throws ApiError bad_request that lists every violation
 */
export async function parse<Schema extends z.ZodType>(
  context: RequestContext,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const result = schema.safeParse(await context.req.json().catch(() => undefined));
  if (!result.success) throw new ApiError("bad_request", z.prettifyError(result.error));
  return result.data;
}
