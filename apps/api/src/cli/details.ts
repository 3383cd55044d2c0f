import type { Operation, Operations } from "@cardbridge/service";
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
  /** For people, on standard error, so that a pipe does not receive it. */
  note?: string;
  /** Why the command did not reach its goal, on standard error; the exit code is then 1. */
  problem?: string;
}

/** The values of a command's arguments and options, or the input made from them. */
export type Given = Readonly<Record<string, unknown>>;

/** The parts of a command that replace those derived from its operation's declaration. */
export interface Details<I = unknown, O = unknown> {
  /** For operators, where the operation's own text is for callers of the API. */
  description?: string;
  example?: string;
  /** The arguments, in order. By default the required ids, except the platform's. */
  arguments?: readonly string[];
  /** The names of options that differ from those of their fields. */
  names?: Readonly<Record<string, string>>;
  /** Further options. One with the name of a derived option replaces it. */
  options?: readonly Option[];
  /** The fields of the input that the command makes from its options. */
  input?(options: Given): object;
  /** The options that errors name for a path of the input. */
  flags?: Readonly<Record<string, string>>;
  /** The dependencies that must be usable before the operation runs. */
  requires?: readonly Requirement[];
  /** Adds up batches: the command runs the operation until no batch follows. */
  add?(sum: O, batch: O): O;
  /** The columns of lists. By default all fields of their items. */
  columns?: Columns;
  /** The only field on standard output, so that a pipe can read it. The other fields become the note. */
  alone?: string;
  /** The result for people, where the output's schema is not enough to derive it. */
  report?(output: O, input: Given): Report;
  /** Runs the operation itself, any number of times. */
  run?(execute: (input: I) => Promise<O>, input: Given, context: CommandContext): Promise<Report>;
}

type DetailsOf<T> = T extends Operation<infer I, infer O> ? Details<z.input<I>, z.output<O>> : never;

/** The details of a noun's commands, by their verbs. */
export type NounDetails<N extends keyof Operations> = {
  readonly [V in keyof Operations[N]]?: DetailsOf<Operations[N][V]>;
};
