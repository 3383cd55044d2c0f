import type { Call, Ports } from "../operations/index.ts";

/** What a procedure is given beside its input. */
export interface TrpcContext {
  ports: Ports;
  call: Call;
  /** Set by a resolver whose answer repeats an earlier one. */
  replayed: boolean;
}
