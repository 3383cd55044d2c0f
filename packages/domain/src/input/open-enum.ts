import type { z } from "zod";
import { rawValue } from "./formats.ts";

/** Known values, which an editor offers, and any other text. */
type Open<Known extends string> = Known | (string & {});

/**
 * A provider's enumeration that may grow (interface, section 9): the known values are published,
 * any other text of 1–64 characters passes as it is.
 */
export function openEnum<const T extends readonly [string, ...string[]]>(known: T) {
  const published = rawValue.meta({ examples: [...known], "x-known-values": [...known] });
  return published as z.ZodType<Open<T[number]>, Open<T[number]>>;
}
