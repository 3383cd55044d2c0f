import type { Violation } from "./violations.ts";

/** An input as it came, before any field of it is trusted: a rule guards every access. */
export type RawInput = Readonly<Record<string, unknown>>;

/** A part of a JSON Schema (draft 2020-12). */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * A rule across fields as a value: what the service enforces and what its document publishes stand
 * side by side, and a test holds them together. Rules run beside the fields' own checks, on the raw
 * input, so that every violation of a request is reported at once.
 */
export interface Rule {
  id: string;
  /** The interface's section, or the gap (G…) whose decision it is. */
  section: string;
  /** The rule in a sentence, for the document's readers. */
  description: string;
  check(input: RawInput): Violation[];
  /** What JSON Schema can say of it; empty where only the words can. */
  schema: JsonSchema;
}

/** A named condition over an input that can be published. */
export interface Predicate {
  id: string;
  holds(input: RawInput): boolean;
  schema: JsonSchema;
  /** Completes the sentence "unless …". */
  description: string;
}
