import type { Violation } from "./violations.ts";

/** An unvalidated input. Rules check the type of every field that they read. */
export type RawInput = Readonly<Record<string, unknown>>;

/** A part of a JSON Schema (draft 2020-12). */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * A rule between fields: the check that the service enforces, and the schema that its document publishes. A test
 * verifies that both agree. Rules run on the raw input, so that a response reports all violations at once.
 */
export interface Rule {
  id: string;
  /** The section of the interface, or the number of the decision (docs/platforms/decisions.md). */
  section: string;
  /** One sentence for the OpenAPI document. */
  description: string;
  check(input: RawInput): Violation[];
  /** The rule as JSON Schema; empty if JSON Schema cannot express it. */
  schema: JsonSchema;
  /** The part of the rule that the schema does not express. */
  inWords?: string;
  /** The fields that the rule may require. `decide` returns null if the known fields do not decide it. */
  requires?: { fields: readonly string[]; decide(known: RawInput): boolean | null };
}

/** A named condition on an input, with its published schema. */
export interface Predicate {
  id: string;
  /** The fields that `holds` reads. */
  fields: readonly string[];
  /** An absent field never satisfies the predicate. */
  holds(input: RawInput): boolean;
  schema: JsonSchema;
  /** Completes the sentence "unless …". */
  description: string;
}

/** Whether a predicate holds for the known fields; null if an unknown field decides it. */
export function decide({ fields, holds }: Predicate, known: RawInput): boolean | null {
  if (holds(known)) return true;
  return fields.every((field) => known[field] !== undefined) ? false : null;
}
