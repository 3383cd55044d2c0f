import type {
  inferRouterInputs,
  inferRouterOutputs,
  TRPCBuiltRouter,
  TRPCDecorateCreateRouterOptions,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from "@trpc/server";
import type { errorShape, procedures } from "./contract.ts";

/** The type of the service's router for tRPC's own clients, as in `createTRPCClient<AppRouter>`. */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  TRPCDecorateCreateRouterOptions<Built<typeof procedures>>
>;

/** The input of each procedure, such as `RouterInputs["cards"]["list"]`. */
export type RouterInputs = inferRouterInputs<AppRouter>;
/** The output of each procedure, such as `RouterOutputs["cards"]["list"]`. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;

/** The body of an error, with a code for programs and messages for people. */
export interface Problem extends ProblemContract {}

// Interfaces, because editors show their names instead of their fields.
interface ErrorShape extends ErrorContract {}
type ErrorContract = typeof errorShape;
type ProblemContract = ErrorContract["data"]["problem"];

/** The procedures of the contract as tRPC's own types, group by group. */
type Built<Group> = {
  [Name in keyof Group]: Group[Name] extends { type: "query"; input: infer Input; output: infer Output }
    ? TRPCQueryProcedure<Definition<Input, Output>>
    : Group[Name] extends { type: "mutation"; input: infer Input; output: infer Output }
      ? TRPCMutationProcedure<Definition<Input, Output>>
      : Group[Name] extends { type: "subscription"; input: infer Input; output: infer Event }
        ? TRPCSubscriptionProcedure<Definition<Input, AsyncIterable<Event, never>>>
        : Built<Group[Name]>;
};

interface Definition<Input, Output> {
  input: Input;
  output: Output;
  meta: object;
  errorShape: ErrorShape;
}
