import { calendarDate } from "@cardbridge/domain";
import { InvalidArgumentError } from "commander";

const day = 24 * 3_600_000;

/** When a key expires; null for never. */
export interface Expiry {
  at: string | null;
}

/** Parses a number of days from now, a date at whose end in UTC the key expires, or `never`. */
export function parseExpiry(text: string, now: Date): Expiry {
  if (text === "never") return { at: null };
  if (/^[1-9][0-9]{0,3}$/.test(text)) return at(now.getTime() + Number(text) * day);
  if (calendarDate.safeParse(text).success) return at(Date.parse(text) + day);
  throw new InvalidArgumentError("Give a number of days, a date such as 2027-01-31, or never.");
}

const at = (millis: number): Expiry => ({ at: new Date(millis).toISOString() });
