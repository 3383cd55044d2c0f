import type { AppRouter } from "@cardbridge/api/router";
import type { AnyTRPCProcedure } from "@trpc/server";

/*
 * What the service's router takes and answers, as plain types. The compiler writes the type of an inferred export in
 * full, so the declaration that is built of this module names nothing of the service, nor of zod. Types alone: at run
 * time nothing imports this module.
 */

declare const service: {
  procedures: Procedures<AppRouter["_def"]["record"]>;
  errorShape: Plain<AppRouter["_def"]["_config"]["$types"]["errorShape"]>;
};
export const procedures = service.procedures;
export const errorShape = service.errorShape;

/** The property is there because the compiler would name an alias of its own instead of writing it out. */
type Procedures<Router> = {
  plain: {
    [Name in keyof Router]: Router[Name] extends AnyTRPCProcedure
      ? {
          type: Router[Name]["_def"]["type"];
          input: Plain<Router[Name]["_def"]["$types"]["input"]>;
          output: Plain<Router[Name]["_def"]["$types"]["output"]>;
        }
      : Procedures<Router[Name]>;
  };
}["plain"];

/** The same type, written out; of `Known | (string & {})` both sides stay. */
type Plain<T> = {
  plain: T extends Primitive ? T : { [Name in keyof T]: Plain<T[Name]> };
}["plain"];

type Primitive = string | number | boolean | null | undefined;
