import { createMiddleware } from "hono/factory";
import { addressOf } from "../admission/head.ts";
import type { HttpEnv } from "./context.ts";

/**
 * Sets the call of a request that the gates admitted.
 * @throws the Failure of the gate that refused it.
 */
export const admitted = createMiddleware<HttpEnv>(async (c, next) => {
  const { caller, failure, allowance, operation: slot } = c.env?.admission ?? {};
  c.set("allowance", allowance);
  if (failure) throw failure;
  if (!caller) throw new TypeError("The route is not behind the gates.");
  const { upload, ...identity } = caller;
  if (upload) c.set("upload", upload);
  c.set("call", {
    ...identity,
    requestId: c.get("requestId"),
    address: addressOf(c.env.incoming?.socket),
    signal: c.req.raw.signal,
    slot,
  });
  await next();
});
