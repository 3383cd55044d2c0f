/** The place of a character in a text, counted from 1. */
export interface Place {
  line: number;
  column: number;
}

/**
 * The place of a text's first JSON syntax error; undefined if the engine does not report one. `error` is what
 * `JSON.parse` threw. Its message may repeat the text, so only the position is used.
 */
export function jsonErrorPlace(text: string, error: unknown): Place | undefined {
  const index = positionOf(text, messageOf(error));
  if (index === undefined) return undefined;
  const lines = text.slice(0, index).split(/\r\n|\n|\r/);
  return { line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 };
}

function positionOf(text: string, message: string): number | undefined {
  // This message repeats the text, so it is tested first.
  if (isUnexpectedToken(message)) return unexpectedToken(text);
  if (message.startsWith("Unexpected end")) return text.length;
  const named = / at position ([0-9]+)/.exec(message)?.[1];
  return named === undefined ? undefined : Number(named);
}

/**
 * V8 reports no position for an unexpected token. A prefix of the text has this error only if it contains the token,
 * so a binary search finds the token with a logarithmic number of parses.
 */
function unexpectedToken(text: string): number {
  let [valid, invalid] = [0, text.length];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isUnexpectedToken(errorOf(text.slice(0, middle)))) invalid = middle;
    else valid = middle;
  }
  return valid;
}

function errorOf(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return messageOf(error);
  }
}

const messageOf = (error: unknown) => (error instanceof SyntaxError ? error.message : "");
const isUnexpectedToken = (message: string) => message.startsWith("Unexpected token");
