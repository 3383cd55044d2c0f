import { InvalidArgumentError, Option } from "commander";

/** `--overlap <hours>`: how long what is replaced still works. */
export const overlapOption = (description: string) =>
  new Option("--overlap <hours>", description).argParser(parseHours).default(24);

function parseHours(text: string): number {
  if (/^[0-9]{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number of hours from 0 to 720.");
}
