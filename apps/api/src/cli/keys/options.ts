import { internalPlatformId } from "@cardbridge/domain";
import { Option } from "commander";
import { isWellFormed } from "../../api-keys/api-key.ts";
import { CommandError } from "../command-error.ts";
import { parseExpiry } from "./expiry.ts";

/** Whose key it is: a platform's, or an internal app's. */
export interface Owner {
  platform?: string;
  internal?: boolean;
}

export const platformOption = () =>
  new Option("--platform <id>", "keys of this platform").conflicts("internal");

export const internalOption = () =>
  new Option("--internal", "keys of internal apps, which name a platform in each call");

export const expiresOption = () =>
  new Option(
    "--expires <when>",
    "expires after this many days, at the end of a date (2027-01-31, UTC), or never",
  ).argParser((text) => parseExpiry(text, new Date()));

/** The platform's id; undefined where neither option is given. */
export function platformIdOf({ platform, internal }: Owner): string | undefined {
  return internal ? internalPlatformId : platform;
}

/**
 * The id of a key, given as an argument. Other users of the machine see arguments, and the shell stores them.
 * @throws CommandError where the argument is a key itself.
 */
export function keyIdOf(argument: string): string {
  if (!isWellFormed(argument)) return argument;
  throw new CommandError(
    "This is an API key: treat it as leaked. Give the id of the key, as the list shows it.",
  );
}
