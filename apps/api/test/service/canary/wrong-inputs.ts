import { z } from "zod";

type Path = readonly (string | number)[];

interface Options {
  schema: z.ZodType;
  /** A valid input. */
  input: object;
  mark: () => string;
  /** Whether a field is always a string, as in a query or a path. */
  isText: (field: string) => boolean;
}

/** Creates inputs with one invalid, marked field each, for every field of the schema. */
export function wrongInputs({ schema, input, mark, isText }: Options): [name: string, input: object][] {
  const texts: [string, () => unknown][] = [
    ["a control character", () => `${mark()}\u0001`],
    ["too long", () => mark().repeat(300)],
  ];
  const others: [string, () => unknown][] = [
    ["a list", () => [[mark()]]],
    ["an object", () => ({ [mark()]: mark() })],
  ];
  return pathsOf(schema).flatMap((path) =>
    [...texts, ...(isText(String(path[0])) ? [] : others)].map(([name, value]): [string, object] => [
      `${path.join(".")}: ${name}`,
      withValue(input, path, value()),
    ]),
  );
}

function pathsOf(schema: unknown): Path[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return pathsOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return pathsOf(schema.element).map((path) => [0, ...path]);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]): Path[] => [
    [name],
    ...pathsOf(field).map((path) => [name, ...path]),
  ]);
}

function withValue<T>(whole: T, [name, ...rest]: Path, value: unknown): T {
  if (name === undefined) return value as T;
  const part = (whole as Record<string | number, unknown>)[name];
  const changed = rest.length === 0 ? value : withValue(part ?? {}, rest, value);
  return (Array.isArray(whole) ? whole.with(Number(name), changed) : { ...whole, [name]: changed }) as T;
}
