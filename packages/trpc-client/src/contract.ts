import type { AppRouter } from "@cardbridge/api/router";
import type { AnyTRPCProcedure } from "@trpc/server";

/*
 * The inputs and outputs of the service's router as plain types. The compiler writes inferred types in full, so the
 * declaration of this module contains no type of the service or of zod. Other modules import only its types.
 */
declare const service: {
  procedures: Procedures<AppRouter["_def"]["record"]>;
  errorShape: Plain<AppRouter["_def"]["_config"]["$types"]["errorShape"]>;
};
export const procedures = service.procedures;
export const errorShape = service.errorShape;

/** The compiler writes the name of an alias, but the full type of a property: hence the property `plain`. */
type Procedures<Router> = {
  plain: {
    [Name in keyof Router]: Router[Name] extends AnyTRPCProcedure
      ? {
          type: Router[Name]["_def"]["type"];
          input: Plain<Router[Name]["_def"]["$types"]["input"]>;
          output: Plain<OutputOf<Router[Name]["_def"]["$types"]["output"]>>;
        }
      : Procedures<Router[Name]>;
  };
}["plain"];

/** The output of a procedure, or one event of a subscription. */
type OutputOf<Output> = Output extends AsyncIterable<infer Event> ? Event : Output;

/** The same type without aliases. `Known | (string & {})` stays a union. */
type Plain<T> = {
  plain: T extends Primitive ? T : { [Name in keyof T]: Plain<T[Name]> };
}["plain"];

type Primitive = string | number | boolean | null | undefined;
