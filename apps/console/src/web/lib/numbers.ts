const format = new Intl.NumberFormat("en-GB");

/** A number with separators, such as `12,480`. */
export const number = (value: number): string => format.format(value);

/** Counts end at this number; then there may be more. */
export const counted = 10_000;

/** A time in a number of days, as an instant. */
export const inDays = (days: number, now = Date.now()): string =>
  new Date(now + days * 86_400_000).toISOString();

const words = {
  bytes: (value: string, unit: string) => `${value} ${unit}`,
} as const;

const sizes = { B: 1, kB: 1_000, MB: 1_000_000, GB: 1_000_000_000 };

/** A number of bytes with its unit, such as `1.2 MB`. */
export function bytes(value: number): string {
  const [unit, size] = Object.entries(sizes).findLast(([, least]) => value >= least) ?? ["B", 1];
  return words.bytes((value / size).toFixed(size > 1_000 ? 1 : 0), unit);
}
