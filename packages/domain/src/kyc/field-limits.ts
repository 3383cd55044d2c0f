import type { JsonSchema } from "../input/rule.ts";
import type { FieldRequirement } from "./requirements.ts";

/** The limits of a value that satisfies all these schemas. */
export function limitsOf(constraints: readonly JsonSchema[]): Pick<FieldRequirement, "kind"> {
  const all = <T>(keyword: string) =>
    constraints.flatMap((schema) => (schema[keyword] === undefined ? [] : [schema[keyword] as T]));
  const values = [
    ...all<(string | boolean)[]>("enum"),
    ...all<string | boolean>("const").map((value) => [value]),
  ];
  const limits = {
    description: all<string>("description")[0],
    values:
      values.length > 0 ? values.reduce((some, more) => some.filter((one) => more.includes(one))) : undefined,
    minLength: largest(all<number>("minLength")),
    maxLength: smallest(all<number>("maxLength")),
    patterns: someOf(all<string>("pattern")),
    minItems: largest(all<number>("minItems")),
    maxItems: smallest(all<number>("maxItems")),
    inWords: someOf(all<string>("x-rule-in-words")),
  };
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return { kind: all<string>("type")[0] ?? "string", ...Object.fromEntries(given) };
}

const largest = (limits: number[]) => (limits.length > 0 ? Math.max(...limits) : undefined);
const smallest = (limits: number[]) => (limits.length > 0 ? Math.min(...limits) : undefined);
const someOf = <T>(values: T[]) => (values.length > 0 ? values : undefined);
