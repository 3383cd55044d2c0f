import { parseInput } from "@cardbridge/domain";
import type { Operation } from "@cardbridge/service";
import { z } from "zod";

/** The fields of an operation's input that identify something, such as a user or a record. */
export function namesIn({ kind, input, example }: Operation): string[] {
  const shape: Record<string, z.ZodType> = input instanceof z.ZodObject ? input.shape : {};
  const names = (field: string) => field === "email" || field.endsWith("Id");
  // A write has texts of all kinds, so its names are selected by the field's name, also from its example.
  if (kind === "write")
    return [...new Set([...Object.keys(shape), ...Object.keys(example.input as object)])].filter(names);
  // A read has only names, known values, countries, positions and numbers.
  const fields = Object.entries(shape).filter(([, schema]) => isFreeText(schema));
  return fields.map(([field]) => field);
}

function isFreeText(field: z.ZodType): boolean {
  const schema = z.toJSONSchema(field, { io: "input", unrepresentable: "any" });
  const { type, ...published } = schema.$ref ? (Object.values(schema.$defs ?? {})[0] ?? {}) : schema;
  const isName = !["country-code", "change-position", "cursor"].includes(published.format ?? "");
  return type === "string" && isName && !("enum" in published) && !("x-known-values" in published);
}

/** One combination of names for a query. */
export interface Question {
  /** The name that is tested. */
  field: string;
  /** The other names that the query requires: as few as its rules allow. */
  others: string[];
}

/** One combination for each name of a query. */
export function questionsOf(operation: Operation): Question[] {
  const fields = namesIn(operation);
  return fields.map((field) => {
    const others = subsetsOf(fields.filter((other) => other !== field)).find((beside) =>
      isRight(operation, [field, ...beside]),
    );
    if (!others) throw new Error(`${operation.id} cannot be queried by ${field}.`);
    return { field, others };
  });
}

/** The input of a query with these names. Other required fields come from the example. */
export function inputOf(operation: Operation, names: Readonly<Record<string, string>>): object {
  const { input, example } = operation;
  const isNeeded = (field: string) =>
    input instanceof z.ZodObject && !input.shape[field]?.safeParse(undefined).success;
  const others = Object.entries(example.input as object).filter(
    ([field]) => !namesIn(operation).includes(field) && isNeeded(field),
  );
  return { ...Object.fromEntries(others), ...names };
}

/** Whether an input with these names satisfies the operation's rules. */
function isRight(operation: Operation, names: readonly string[]): boolean {
  const example = new Map(Object.entries(operation.example.input as object));
  const values = names.map((name) => [name, example.get(name) ?? anyName(name)]);
  return parseInput(operation.input, operation.rules, inputOf(operation, Object.fromEntries(values))).ok;
}

/** A valid value of a name. */
export const anyName = (field: string, text = "anybody") =>
  field === "email" ? `${text}@example.com` : text;

/** All subsets, the smallest first. */
function subsetsOf([first, ...rest]: readonly string[]): string[][] {
  if (first === undefined) return [[]];
  const without = subsetsOf(rest);
  return [...without, ...without.map((set) => [first, ...set])].sort((a, b) => a.length - b.length);
}
