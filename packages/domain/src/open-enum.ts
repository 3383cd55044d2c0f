import { z } from "zod";

/**
 * A provider's enumeration that may grow (interface, section 9): the known values are published,
 * any other string of 1–64 characters passes as it is.
 */
export function openEnum<const T extends readonly [string, ...string[]]>(known: T) {
  return z
    .string()
    .min(1)
    .max(64)
    .meta({ examples: [...known], "x-known-values": [...known] });
}
