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

/** The service's router: the type that tRPC's own clients take, as in `createTRPCClient<AppRouter>`. */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  TRPCDecorateCreateRouterOptions<Built<typeof procedures>>
>;

/** What each procedure takes, such as `RouterInputs["cards"]["list"]`. */
export type RouterInputs = inferRouterInputs<AppRouter>;
/** What each procedure returns, such as `RouterOutputs["cards"]["list"]`. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;

/** A payment card. */
export type Card = RouterOutputs["cards"]["list"]["items"][number];
/** The result of a KYC submission. */
export type KycResult = RouterOutputs["kyc"]["submit"];
/** The body of an error: what went wrong, in a code for programs and in sentences for people. */
export interface Problem extends ProblemContract {}

// Interfaces, because editors show them by their names.
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
