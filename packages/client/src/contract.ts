import type { Problem as ServiceProblem } from "@cardbridge/api/problem";
import type { webhookEvents } from "@cardbridge/domain";
import type { Operation, RestOperations } from "@cardbridge/service";
import type { z } from "zod";
import type { FileSource } from "./file-source.ts";

/*
 * The inputs and outputs of the operations as plain types. The compiler writes inferred types in full, so the
 * declaration of this module contains no type of the service or of zod. Other modules import only its types.
 */
declare const service: {
  operations: Contract<RestOperations>;
  problem: Open<ServiceProblem>;
  webhookData: WebhookData<typeof webhookEvents>;
};
export const operations = service.operations;
export const problem = service.problem;
export const webhookData = service.webhookData;

/** The compiler writes the name of an alias, but the full type of a property: hence the property `plain`. */
type Contract<Group> = {
  plain: {
    [Name in keyof Group]: Group[Name] extends Operation<infer I, infer O>
      ? { input: Plain<z.input<I>>; output: Open<z.output<O>> }
      : Contract<Group[Name]>;
  };
}["plain"];

/** The data of each type of event. */
type WebhookData<Events extends Record<string, { data: z.ZodType }>> = {
  plain: { [Type in keyof Events]: Open<z.output<Events[Type]["data"]>> };
}["plain"];

/** The same type without aliases. `Known | (string & {})` stays a union. A Blob becomes any file source. */
type Plain<T> = {
  plain: T extends Primitive ? T : T extends Blob ? FileSource : { [Name in keyof T]: Plain<T[Name]> };
}["plain"];

/** `Plain` for responses and events, in which every `code` and list of codes may have new values (G23). */
type Open<T> = {
  plain: T extends Primitive
    ? T
    : T extends readonly Primitive[]
      ? (T[number] | (string extends T[number] ? never : string & {}))[]
      : { [Name in keyof T]: Name extends "code" ? T[Name] | (string & {}) : Open<T[Name]> };
}["plain"];

type Primitive = string | number | boolean | null | undefined;
