import type { Failure } from "@cardbridge/domain";
import type { Call, Ports } from "@cardbridge/operations";

/** What is one call's own, in a request that may hold many. */
export interface OwnCall {
  call: Call;
  /** Why it is not to run, where the platform has no call left. */
  refusal: Failure | undefined;
  /** Set once its answer repeats an earlier one. */
  replayed: boolean;
}

/** What the procedures of one request are given beside their inputs: tRPC makes it once for all of them. */
export type TrpcContext = {
  ports: Ports;
  requestId: string;
  /** By the index of the call in its batch. */
  calls: readonly OwnCall[];
};
