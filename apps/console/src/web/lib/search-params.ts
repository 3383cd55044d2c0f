/** The option that a search parameter names; undefined for others. */
export const oneOf = <const T extends string>(value: unknown, options: readonly T[]): T | undefined =>
  options.find((option) => option === value);

/** An id or a code in a search parameter; undefined for anything else, such as personal data. */
export const idLike = (value: unknown): string | undefined =>
  typeof value === "string" && /^[A-Za-z0-9_.-]{1,80}$/.test(value) ? value : undefined;

export type Present<T> = {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
} & {
  [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name];
};

/** The fields that have a value. */
export function withoutAbsent<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}

export const withins = ["1h", "24h", "7d", "30d"] as const;
export type Within = (typeof withins)[number];
const hoursOf = { "1h": 1, "24h": 24, "7d": 168, "30d": 720 };

/** When a span before `now` begins, cut to the minute, so that the same view has the same input. */
export const sinceOf = (within: Within, now: number): string =>
  new Date(Math.floor(now / 60_000) * 60_000 - hoursOf[within] * 3_600_000).toISOString();
