import { calendarDate, internalPlatformId } from "@cardbridge/domain";
import { InvalidArgumentError, Option } from "commander";
import type { Given, NounDetails } from "./details.ts";

/** The options for the owner of keys: a platform, or internal apps. */
const owner = {
  options: [
    new Option("--platform <id>", "the platform that owns the keys"),
    new Option("--internal", "instead, the keys of internal apps").conflicts("platform"),
  ],
  input: ({ platform, internal }: Given) => ({ platformId: internal ? internalPlatformId : platform }),
  flags: { platformId: "--platform, --internal" },
};

const expires = new Option(
  "--expires <when>",
  "expires after this many days, at the end of a date (2027-01-31, UTC), or never",
).argParser((text) => parseExpiry(text, new Date()));

export const keys = {
  create: { ...owner, options: [...owner.options, expires], alone: "key" },
  list: {
    ...owner,
    columns: { keys: "keyId prefix name state createdBy expiresAt lastUsedAt platformId scopes" },
  },
  rotate: { options: [expires], alone: "key" },
} satisfies NounDetails<"keys">;

/** When something ends: after a number of days, at the end of a date in UTC, or never. */
export function parseExpiry(text: string, now: Date): string | null {
  if (text === "never") return null;
  const day = 24 * 3_600_000;
  if (/^[1-9][0-9]{0,3}$/.test(text)) return new Date(now.getTime() + Number(text) * day).toISOString();
  if (calendarDate.safeParse(text).success) return new Date(Date.parse(text) + day).toISOString();
  throw new InvalidArgumentError("Give a number of days, a date such as 2027-01-31, or never.");
}
