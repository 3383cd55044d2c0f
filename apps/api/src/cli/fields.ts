import { platformId } from "@cardbridge/domain";
import type { Operation } from "@cardbridge/service";
import { Option } from "commander";
import * as z from "zod";
import type { Details } from "./details.ts";

/** Options that are shorter than the names of their fields. */
const shortNames: Readonly<Record<string, string>> = {
  platformId: "platform",
  overlapHours: "overlap",
  eventTypes: "events",
  expiresAt: "expires",
  externalUserId: "user",
  kycRecordId: "record",
  // Every command has --version already.
  version: "seenVersion",
};

/** The parts of a field's JSON Schema that the command line reads. */
interface FieldSchema {
  type?: string;
  const?: unknown;
  enum?: string[];
  items?: FieldSchema;
  anyOf?: FieldSchema[];
  format?: string;
  default?: unknown;
  description?: string;
}

/** A field of an operation's input, as an argument or an option. */
export interface Field {
  name: string;
  isArgument: boolean;
  isRequired: boolean;
  /** The name of its option, as commander stores the value. */
  option: string;
  /** Its name in help and errors: `<kycRecordId>`, `--platform`. */
  label: string;
  schema: FieldSchema;
}

/** The fields of an operation's input, arguments first. The platform of a platform's operation is one of them. */
export function fieldsOf({ input, platform }: Operation, { arguments: given, add, names }: Details): Field[] {
  const { shape } = input as z.ZodObject;
  const fields: Record<string, z.ZodType> = platform ? { platformId, ...shape } : shape;
  const isRequired = (name: string) => fields[name]?.safeParse(undefined).success !== true;
  const isSubject = (name: string) => name.endsWith("Id") && name !== "platformId" && isRequired(name);
  const subjects = given ?? Object.keys(fields).filter(isSubject);
  const all = new Set([...subjects, ...Object.keys(fields)]);
  // The command itself sets `after` from the previous batch.
  if (add) all.delete("after");
  return [...all].map((name) => {
    const isArgument = subjects.includes(name);
    const option = names?.[name] ?? shortNames[name] ?? name;
    const argument = isRequired(name) ? `<${name}>` : `[${name}]`;
    const label = isArgument ? argument : `--${kebabCase(option)}`;
    const json = z.toJSONSchema(fields[name] ?? z.string(), { io: "input" }) as FieldSchema;
    // A nullable field is a union, with null as its second member.
    const schema = { ...json.anyOf?.[0], ...json };
    return { name, isArgument, isRequired: isRequired(name), option, label, schema };
  });
}

export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The field as an option, such as `--limit <number>`; none for a field that no text can express. */
export function toOptions(field: Field): Option[] {
  const { name, isRequired, label } = field;
  const { type, items, enum: values = items?.enum, format, default: fallback, description } = field.schema;
  if (!["string", "integer", "boolean"].includes(items?.type ?? type ?? "")) return [];
  const word = name.endsWith("Id") ? "id" : field.option;
  const value = type === "integer" ? "number" : format === "date-time" ? "time" : word;
  const help = `${description ?? ""}${isRequired ? " (required)" : ""}`;
  if (field.schema.const === true) return [new Option(label, help)];
  const option = new Option(`${label} <${value}${type === "array" ? "..." : ""}>`, help);
  if (fallback !== undefined) option.default(fallback);
  // Help shows the choices. The operation refuses other values with its own message.
  const choices = type === "boolean" ? ["true", "false"] : values;
  if (choices) option.choices(choices);
  return [option.argParser(parserOf(field)).makeOptionMandatory(isRequired)];
}

/** Parses a text into the field's type. An invalid text stays unchanged, so that the operation refuses it. */
export function parserOf({ schema: { type } }: Field) {
  return (text: string, previous: unknown): unknown => {
    if (type === "integer") return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    if (type === "boolean") return text === "true" || (text === "false" ? false : text);
    if (type !== "array") return text;
    return [...(Array.isArray(previous) ? previous : []), ...text.split(",").map((item) => item.trim())];
  };
}

/** Converts an empty text to null for a nullable field, because commander stores a parsed null as an empty text. */
export const toInput = ({ schema }: Field, value: unknown) => (value === "" && schema.anyOf ? null : value);
