import { rawValue } from "./formats.ts";

/**
 * A provider's enumeration that may grow (interface, section 9): the known values are published,
 * any other text of 1–64 characters passes as it is.
 */
export function openEnum<const T extends readonly [string, ...string[]]>(known: T) {
  return rawValue.meta({ examples: [...known], "x-known-values": [...known] });
}
