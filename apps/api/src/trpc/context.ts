import type { Failure } from "@cardbridge/domain";
import type { Call, Ports } from "@cardbridge/service";
import type { CheckKey } from "./key-checks.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** The context of one call in a batch. */
export interface OwnCall {
  /** The call; once its input is read, at the platform that the input names. */
  call: Call;
  /** The failure of a rate-limited call. */
  refusal: Failure | undefined;
  /** Whether the result repeats an earlier result. */
  replayed: boolean;
}

/** The context of a request. tRPC creates it once for all calls. */
export type TrpcContext = {
  ports: Ports;
  subscriptions: Subscriptions;
  /** Checks the request's key and person again. */
  checkKey: CheckKey;
  requestId: string;
  /** The calls, by their index in the batch. */
  calls: readonly OwnCall[];
};
