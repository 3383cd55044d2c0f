import type { Failure, FilePurpose } from "@cardbridge/domain";
import type { Call } from "@cardbridge/operations";
import type { Allowance } from "../rate-limits/rate-limiter.ts";
import type { NodeRequest } from "../server/address.ts";

/** What the middlewares of one request pass on. */
export interface HttpEnv {
  /** Empty where the app is called without a server. */
  Bindings: Partial<NodeRequest>;
  Variables: {
    requestId: string;
    /** Set once the caller is authenticated. */
    call: Call;
    /** The rate limit of the platform, where it has one: every answer reports it. */
    allowance: Allowance | undefined;
    /** Why the call failed, for the log. */
    failure: Failure;
    /** The parsed JSON body, where the route takes one. */
    body: unknown;
    /** The purpose that an upload URL was created for. */
    purpose: FilePurpose;
  };
}
