import * as z from "zod";
import { rawValue } from "./formats.ts";

/** The known values, for code completion, or any other text. */
type Open<Known extends string> = Known | (string & {});

/**
 * An open enumeration of the provider (interface, section 9). The document publishes the known values; any other text
 * of 1–64 characters is valid.
 */
export function openEnum<const T extends readonly [string, ...string[]]>(known: T) {
  const published = rawValue.meta({ examples: [...known], "x-known-values": [...known] });
  return published as z.ZodType<Open<T[number]>, Open<T[number]>>;
}

/**
 * A catalogue of our own that grows within a version (G23). The code knows every value. The document publishes them
 * as an open enumeration, so that clients generated from it accept later values.
 */
export function extensibleEnum<const T extends readonly [string, ...string[]]>(known: T) {
  return z.enum(known).meta({ examples: [...known], "x-known-values": [...known] });
}
