import type { Failure } from "@cardbridge/domain";
import type { Call } from "../operations/index.ts";
import type { NodeRequest } from "./address.ts";

/** What the middlewares of one request hand on to each other. */
export interface HttpEnv {
  /** Nothing where the app is called without a server. */
  Bindings: Partial<NodeRequest>;
  Variables: {
    requestId: string;
    /** Set once the caller is authenticated. */
    call: Call;
    /** Why the call failed, for the log. */
    failure: Failure;
    /** The parsed JSON body, where the route takes one. */
    body: unknown;
  };
}
