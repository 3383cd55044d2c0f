const hour = 3_600_000;

/** Today's date, yyyy-MM-dd, where the day begins first (UTC+14): nobody is born after it (gap G25). */
export function latestToday(now: Date): string {
  return new Date(now.getTime() + 14 * hour).toISOString().slice(0, 10);
}

/** Today's date, yyyy-MM-dd, where the day ends last (UTC-12). */
export function earliestToday(now: Date): string {
  return new Date(now.getTime() - 12 * hour).toISOString().slice(0, 10);
}

/** Compares two dates as yyyy-MM-dd; false unless both have that form. */
export function isBefore(earlier: unknown, later: unknown): boolean {
  return isDate(earlier) && isDate(later) && earlier < later;
}

function isDate(value: unknown): value is string {
  return typeof value === "string" && /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value);
}
