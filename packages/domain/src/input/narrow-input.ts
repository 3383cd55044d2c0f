import type { z } from "zod";

/** An object with exactly one of these fields. */
export type ExactlyOne<T> = {
  [One in keyof T]: Pick<T, One> & { [other in Exclude<keyof T, One>]?: undefined };
}[keyof T];

/**
 * Returns the schema with a narrower input type, which expresses a rule between its fields. The runtime check stays in
 * the rule.
 */
export function narrowInput<Narrow>() {
  return <S extends z.ZodObject>(schema: S) => schema as S & z.ZodType<z.output<S>, Narrow>;
}
