import { ApiError } from "../api-error.ts";
import type { RequestContext } from "./context.ts";

/** The items of one page, and whether there are more. */
export interface Page<T> {
  has_more: boolean;
  items: T[];
}

/**
 * Returns the page that the query selects with `page_num` (from 0) and `page_size` (10 to 100).
 * @throws ApiError invalid_argument when one of them is out of range
 */
export function pageOf<T>(context: RequestContext, items: readonly T[]): Page<T> {
  const number = integer(context, "page_num", 0, 0, Number.MAX_SAFE_INTEGER);
  const size = integer(context, "page_size", 10, 10, 100);
  const end = (number + 1) * size;
  return { has_more: items.length > end, items: items.slice(number * size, end) };
}

/**
 * Refuses unknown query parameters, which Airwallex ignores. `_t` is allowed, because the SDK sends it.
 * @throws ApiError invalid_argument
 */
export function allowQuery(context: RequestContext, names: readonly string[]): void {
  const unknown = Object.keys(context.req.query()).find((name) => name !== "_t" && !names.includes(name));
  if (unknown !== undefined) throw new ApiError("invalid_argument", `${unknown} is not a parameter`, unknown);
}

/** @throws ApiError invalid_argument when the parameter is out of range */
export function integer(
  context: RequestContext,
  name: string,
  byDefault: number,
  min: number,
  max: number,
): number {
  const text = context.req.query(name);
  if (text === undefined) return byDefault;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new ApiError("invalid_argument", `${name} should be between ${min} and ${max}`, name);
}
