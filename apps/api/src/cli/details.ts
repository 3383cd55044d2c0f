import type { Operation, Operations } from "@cardbridge/operations";
import type { Option } from "commander";
import type { z } from "zod";
import type { Requirement } from "../boot/operator.ts";
import type { CommandContext } from "./context.ts";
import type { Columns } from "./output.ts";

/** The result of a command. */
export interface Report {
  /** For programs, with `--json`. By default the operation's output. */
  document?: unknown;
  /** For people, on standard output. By default derived from the output's schema. */
  text?: string;
  /** For people, on standard error: what a pipe must not read. */
  note?: string;
  /** Why the command did not reach its goal, on standard error; the exit code is then 1. */
  problem?: string;
}

/** The values of a command's arguments and options, or the input that they make. */
export type Given = Readonly<Record<string, unknown>>;

/** What a command has instead of what its operation's declaration would give it. */
export interface Details<I = unknown, O = unknown> {
  /** For operators, where the operation's own text is for callers of the API. */
  description?: string;
  example?: string;
  /** The arguments, in order. By default the required ids, except the platform's. */
  arguments?: readonly string[];
  /** Further options. One with the name of a derived option replaces it. */
  options?: readonly Option[];
  /** The fields of the input that the command makes from its options. */
  input?(options: Given): object;
  /** The options that errors name for a path of the input. */
  flags?: Readonly<Record<string, string>>;
  /** What has to be usable before the operation runs. */
  requires?: readonly Requirement[];
  /** Adds up batches: the command runs the operation until there is no next one. */
  add?(sum: O, batch: O): O;
  /** The columns of lists. By default all fields of their items. */
  columns?: Columns;
  /** The field that is alone on standard output, so that a pipe can take it. The others are a note. */
  alone?: string;
  /** Its result for people, where the schema does not tell enough. */
  report?(output: O, input: Given): Report;
  /** Runs the operation itself, any number of times. */
  run?(execute: (input: I) => Promise<O>, input: Given, context: CommandContext): Promise<Report>;
}

type DetailsOf<T> = T extends Operation<infer I, infer O> ? Details<z.input<I>, z.output<O>> : never;

/** The details of a noun's commands, by their verbs. */
export type NounDetails<N extends keyof Operations> = {
  readonly [V in keyof Operations[N]]?: DetailsOf<Operations[N][V]>;
};
