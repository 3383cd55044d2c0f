import type { Failure } from "@cardbridge/domain";
import type { Call } from "@cardbridge/service";
import type { UploadUrl } from "../../admission/authenticate.ts";
import type { Allowance } from "../../admission/rate.ts";
import type { NodeRequest } from "./node-request.ts";

/** The context that the middlewares of a request share. */
export interface HttpEnv {
  /** Empty if the app runs without a server. */
  Bindings: Partial<NodeRequest>;
  Variables: {
    requestId: string;
    /** The call of an admitted request. */
    call: Call;
    /** The state of the platform's rate limit, if it has one. Every response reports it. */
    allowance: Allowance | undefined;
    /** The failure of the call, for the log. */
    failure: Failure;
    /** The parsed body, if the route reads one. */
    body: unknown;
    /** The tRPC procedures that the request names, each once; `unknown` for unknown procedures. */
    procedures: readonly string[];
    /** The upload URL of a request without a key. */
    upload: UploadUrl;
  };
}
