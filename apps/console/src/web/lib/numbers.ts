const format = new Intl.NumberFormat("en-GB");

/** A number with separators, such as `12,480`. */
export const number = (value: number): string => format.format(value);

/** Counts end at this number; then there may be more. */
export const counted = 10_000;

/** A time in a number of days, as an instant. */
export const inDays = (days: number, now = Date.now()): string =>
  new Date(now + days * 86_400_000).toISOString();
