import type { Failure, FilePurpose } from "@cardbridge/domain";
import type { Allowance } from "../rate-limits/rate-limiter.ts";
import type { Call } from "../operations/index.ts";
import type { NodeRequest } from "../server/address.ts";

/** What the middlewares of one request hand on to each other. */
export interface HttpEnv {
  /** Nothing where the app is called without a server. */
  Bindings: Partial<NodeRequest>;
  Variables: {
    requestId: string;
    /** Set once the caller is authenticated. */
    call: Call;
    /** Where a platform with a rate limit stands; it is told so whatever the answer is. */
    allowance: Allowance | undefined;
    /** Why the call failed, for the log. */
    failure: Failure;
    /** The parsed JSON body, where the route takes one. */
    body: unknown;
    /** What an upload address takes. */
    purpose: FilePurpose;
  };
}
