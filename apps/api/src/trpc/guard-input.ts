import { Failure, isRecord } from "@cardbridge/domain";
import { createMiddleware } from "hono/factory";
import { malformed } from "../errors/malformed.ts";
import type { HttpEnv } from "../middleware/context.ts";
import { parseJson } from "../middleware/parse-json.ts";
import { readQuery } from "../middleware/read-query.ts";

const parameters = new Set(["batch", "connectionParams", "input"]);

/**
 * Applies our input limits before tRPC parses the request: each parameter once, valid percent-encoding, and limited
 * JSON depth. Runs after the body reader.
 * @throws Failure INVALID_INPUT, MALFORMED_REQUEST.
 */
export const guardInput = createMiddleware<HttpEnv>(async (c, next) => {
  const { values, violations } = readQuery(c.req.url, parameters);
  if (violations.length > 0) throw new Failure("INVALID_INPUT", { violations });
  const { batch, connectionParams, input } = values;
  if (connectionParams !== undefined) {
    const message = "Send the API key in the header Authorization, not in connectionParams.";
    throw malformed("connection-params", message);
  }
  if (c.req.method === "GET") {
    if (input !== undefined) c.set("body", parseJson(input, "input"));
    // A GET has no body, but tRPC would use its content type.
    c.req.raw.headers.delete("content-type");
  }
  const sent = c.get("body");
  if (batch === "1" && sent !== undefined && !isRecord(sent)) {
    throw malformed(
      "batch-input",
      'Send the inputs of a batch as an object with their indexes as keys: {"0": …, "1": …}.',
    );
  }
  await next();
});
