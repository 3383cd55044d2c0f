import { maxJsonDepth } from "../../config/limits.ts";
import { malformed } from "../errors/malformed.ts";
import { jsonErrorPlace } from "./json-error-place.ts";

/**
 * Parses a caller's JSON. `name` describes it in the error message, which has the line and the column of a syntax
 * error.
 * @throws Failure MALFORMED_REQUEST for invalid or too deeply nested JSON.
 */
export function parseJson(text: string, name: string): unknown {
  const value = parse(text, name);
  if (!isWithin(value, maxJsonDepth)) {
    throw malformed("json-depth", `Nest objects and arrays at most ${maxJsonDepth} deep.`);
  }
  return value;
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = jsonErrorPlace(text, error);
    const where = place ? ` at line ${place.line}, column ${place.column}` : "";
    throw malformed("json", `The ${name} is not valid JSON${where}.`);
  }
}

/** Limits the depth, because later code may process the value recursively. */
function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((part) => isWithin(part, levels - 1));
}
