import * as z from "zod";

interface Format {
  pattern: string;
  minLength?: number;
  maxLength: number;
  /** A condition that no pattern expresses the same way in every regular expression engine. */
  inWords?: { description: string; holds(text: string): boolean };
  /** For error messages and the OpenAPI document. */
  help: string;
}

/** A description of each format, for error messages and the OpenAPI document. */
export const formatHelp: Record<string, string> = {};

/** A schema of a format, whose name is the rule id of its violation. */
export function format(name: string, { pattern, inWords, help, ...lengths }: Format) {
  formatHelp[name] = help;
  const { minLength = 0, maxLength } = lengths;
  const expression = new RegExp(pattern, "u");
  const words = inWords === undefined ? {} : { "x-rule-in-words": inWords.description };
  return z
    .stringFormat(
      name,
      (text) =>
        hasLength(text, minLength, maxLength) && expression.test(text) && (inWords?.holds(text) ?? true),
    )
    .meta({ description: help, pattern, ...lengths, ...words });
}

/** Counts code points, as JSON Schema does. */
function hasLength(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > 2 * max) return false;
  const length = [...text].length;
  return length >= min && length <= max;
}
