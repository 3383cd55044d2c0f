import { malformed } from "../errors/malformed.ts";
import { maxJsonDepth } from "../server/limits.ts";

/**
 * Parses JSON that a caller sent. `name` is what it is called in the message.
 * @throws Failure MALFORMED_REQUEST for what is no JSON or nested too deep.
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
  } catch {
    throw malformed("json", `The ${name} is not valid JSON in UTF-8.`);
  }
}

/** Code that reads the value later may recurse over it, so its depth is bounded here. */
function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((part) => isWithin(part, levels - 1));
}
