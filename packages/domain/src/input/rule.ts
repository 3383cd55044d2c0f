import type { Violation } from "./violations.ts";

/** An unvalidated input. Rules check the type of every field that they read. */
export type RawInput = Readonly<Record<string, unknown>>;

/** A part of a JSON Schema (draft 2020-12). */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * A rule between fields: the check that the service enforces, and the schema that its document publishes. A test
 * proves that both agree. Rules run on the raw input, so that a response reports all violations at once.
 */
export interface Rule {
  id: string;
  /** The section of the interface, or the number of our decision (docs/decisions.md). */
  section: string;
  /** One sentence for the OpenAPI document. */
  description: string;
  check(input: RawInput): Violation[];
  /** The rule as JSON Schema; empty if JSON Schema cannot express it. */
  schema: JsonSchema;
  /** What the schema does not express. */
  inWords?: string;
}

/** A named condition on an input, with its published schema. */
export interface Predicate {
  id: string;
  holds(input: RawInput): boolean;
  schema: JsonSchema;
  /** Completes the sentence "unless …". */
  description: string;
}
