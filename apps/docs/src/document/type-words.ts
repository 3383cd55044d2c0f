import { resolve, type Schema, withoutNull } from "./schema.ts";

/** The formats that say more about a value than its type and its length. */
const formats: Record<string, string> = {
  binary: "file",
  "country-code": "string, two letters",
  date: "date, `yyyy-MM-dd`",
  "date-time": "time, RFC 3339",
  email: "e-mail address",
  "http-url": "URL",
  "text-512": "string with line breaks",
  "webhook-url": "URL",
};

/** The type of a value in words, with its limits and its values: "integer, 1 to 100, default 20". */
export function typeInWords(part: Schema): string {
  const { schema, nullable } = withoutNull(part);
  const words = [nameOf(schema), limitsOf(schema), valuesOf(schema), defaultOf(schema)].filter(Boolean);
  return `${words.join(", ")}${nullable ? ", or null" : ""}`;
}

function nameOf(schema: Schema): string {
  const { type, format, items, anyOf, const: constant } = schema;
  if (format && formats[format]) return formats[format];
  if (type === "array") return `array of ${items ? pluralOf(items) : "values"}`;
  if (anyOf) return [...new Set(anyOf.map((part) => nameOf(resolve(part))))].join(" or ");
  if (type === undefined) return constant === undefined && !schema.enum ? "any" : "string";
  return [type].flat().join(" or ");
}

/** The type of an array's items: "strings, one of `a` `b`". */
function pluralOf(items: Schema): string {
  const [name = "", ...limits] = typeInWords(items).split(", ");
  return [name.replaceAll(/\b(string|integer|boolean|object)\b/g, "$1s"), ...limits].join(", ");
}

function limitsOf({ minLength, maxLength, minimum, maximum, minItems, maxItems }: Schema): string {
  return [
    range(minLength, maxLength, "characters"),
    range(minimum, maximum, ""),
    range(minItems, maxItems, "items"),
  ]
    .filter(Boolean)
    .join(", ");
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  if (min === undefined && max === undefined) return "";
  const words = max === undefined ? `from ${min}` : min === undefined ? `up to ${max}` : `${min} to ${max}`;
  return unit === "" ? words : `${words} ${unit}`;
}

function valuesOf({ enum: values, const: constant, "x-known-values": known }: Schema): string {
  if (constant !== undefined) return `always ${code(constant)}`;
  if (values?.length === 1) return `always ${code(values[0])}`;
  if (values) return `one of ${values.map(code).join(" ")}`;
  return known ? `such as ${known.map(code).join(" ")}` : "";
}

const defaultOf = ({ default: value }: Schema) => (value === undefined ? "" : `default ${code(value)}`);

const code = (value: unknown) => `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
