import { InvalidArgumentError, Option } from "commander";

/** `--limit <number>`: the maximum number of lines of a list. */
export const limitOption = (fallback: number) =>
  new Option("--limit <number>", "list at most this many").argParser(limit).default(fallback);

function limit(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number < 1000) return number;
  throw new InvalidArgumentError("Give a whole number from 1 to 999.");
}
