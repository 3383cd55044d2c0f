import type { IncomingMessage, ServerResponse } from "node:http";
import type { Admission } from "../../admission/gates.ts";

/** Node's request and response, which the adapter passes to Hono, and the result of the gates for the request. */
export interface NodeRequest {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  admission?: Admission | undefined;
}
