import type { z } from "zod";

/** What has exactly one of these fields. */
export type ExactlyOne<T> = {
  [One in keyof T]: Pick<T, One> & { [other in Exclude<keyof T, One>]?: undefined };
}[keyof T];

/**
 * The same schema, whose input's type also says what a rule between its fields enforces. At run time nothing changes:
 * the rule stays what checks it.
 */
export function narrowInput<Narrow>() {
  return <S extends z.ZodObject>(schema: S) => schema as S & z.ZodType<z.output<S>, Narrow>;
}
