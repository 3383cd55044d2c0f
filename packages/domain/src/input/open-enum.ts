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
 * An enumeration of this service that may grow within an API version (G23). The schema accepts known values only. The
 * document publishes an open enumeration, so that generated clients accept later values.
 */
export function extensibleEnum<const T extends readonly [string, ...string[]]>(known: T) {
  return z.enum(known).meta({ examples: [...known], "x-known-values": [...known] });
}
