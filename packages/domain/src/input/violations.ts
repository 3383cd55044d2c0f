import type { z } from "zod";
import { formatHelp } from "./format.ts";

/** One error in an input. `path` is a list of keys, which each transport formats in its own notation. */
export interface Violation {
  path: (string | number)[];
  /** The name of the header that violates the rule, instead of a path. */
  header?: string;
  /** The stable id of the violated rule, such as `required` or `exactly-one-identifier`. */
  rule: string;
  /** How to correct the input. Never contains the caller's data. */
  message: string;
}

/** Converts zod issues into violations. `input` is the parsed raw input. */
export function toViolations(issues: readonly z.core.$ZodIssue[], input: unknown): Violation[] {
  const violations = issues.map((issue) => ({
    path: issue.path.filter((key) => typeof key !== "symbol"),
    ...explain(issue, input),
  }));
  return withoutDuplicates(violations);
}

function explain(issue: z.core.$ZodIssue, input: unknown): Pick<Violation, "rule" | "message"> {
  if (valueAt(input, issue.path) === undefined)
    return { rule: "required", message: "This field is required." };
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "int"
        ? { rule: "integer", message: "Send a whole number." }
        : { rule: "type", message: `Send ${article(issue.expected)}.` };
    case "invalid_format":
      return { rule: issue.format, message: instruct(formatHelp[issue.format]) + hint(issue, input) };
    case "invalid_value":
      return { rule: "enum", message: `Send one of: ${issue.values.join(", ")}.` };
    case "invalid_union":
      return "options" in issue
        ? { rule: "enum", message: `Send one of: ${issue.options.join(", ")}.` }
        : { rule: "invalid", message: "This value is not accepted." };
    case "too_big":
      return {
        rule: limitName("max", issue.origin),
        message: `Send at most ${quantity(issue.maximum, issue.origin)}.`,
      };
    case "too_small":
      return {
        rule: limitName("min", issue.origin),
        message: `Send at least ${quantity(issue.minimum, issue.origin)}.`,
      };
    default:
      return { rule: "invalid", message: "This value is not accepted." };
  }
}

/** A raw plus sign in a query is decoded as a space, which is invalid in an e-mail address. */
function hint({ format, path }: z.core.$ZodIssueInvalidStringFormat, input: unknown): string {
  const isSpaced = format === "email" && String(valueAt(input, path)).includes(" ");
  return isSpaced ? " In a query, write a plus sign as %2B." : "";
}

/**
 * Makes a format's description an instruction: "4 to 20 digits." becomes "Send 4 to 20 digits." Ids, cursors, hashes and
 * versions have no description: callers have them from the service.
 */
function instruct(help = "The value as this service returned it."): string {
  return `Send ${help.charAt(0).toLowerCase()}${help.slice(1)}`;
}

function article(type: string): string {
  if (type === "number") return "a number, in plain digits";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function limitName(bound: "min" | "max", origin: string): string {
  if (origin === "string") return `${bound}-length`;
  return origin === "array" ? `${bound}-items` : `${bound}imum`;
}

function quantity(count: number | bigint, origin: string): string {
  const unit = { string: " character", array: " item" }[origin];
  return unit === undefined ? `${count}` : `${count}${unit}${count === 1 ? "" : "s"}`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}

/** A huge integer fails two zod checks with the same rule. Reports only the last, which has the tighter bound. */
function withoutDuplicates(violations: Violation[]): Violation[] {
  const last = new Map(
    violations.map((violation) => [JSON.stringify([violation.path, violation.rule]), violation]),
  );
  return [...last.values()];
}
