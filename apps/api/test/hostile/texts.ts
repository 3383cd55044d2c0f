import { toUSVString } from "node:util";

/** Converts a value to text. Percent-encoding replaces lone surrogates by U+FFFD. */
export function print(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
export const percent = (value: unknown): string => encodeURIComponent(toUSVString(print(value)));
