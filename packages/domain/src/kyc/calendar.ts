import { calendarDate } from "../input/formats.ts";

const hour = 3_600_000;

/** Today's date in the earliest time zone (UTC+14), as yyyy-MM-dd. No date of birth is later. */
export function latestToday(now: Date): string {
  return new Date(now.getTime() + 14 * hour).toISOString().slice(0, 10);
}

/** Today's date in the latest time zone (UTC-12), as yyyy-MM-dd. */
export function earliestToday(now: Date): string {
  return new Date(now.getTime() - 12 * hour).toISOString().slice(0, 10);
}

/** Compares two dates as yyyy-MM-dd; false unless both are real dates. Others have a violation of their format. */
export function isBefore(earlier: unknown, later: unknown): boolean {
  return isDate(earlier) && isDate(later) && earlier < later;
}

function isDate(value: unknown): value is string {
  return calendarDate.safeParse(value).success;
}
