import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { bodyReader } from "./body.ts";
import type { Desk, Env } from "./context.ts";
import { log } from "./output.ts";
import { Problem } from "./problem.ts";
import { cardRoutes } from "./routes/cards.ts";
import { kycRoutes } from "./routes/kyc.ts";
import { supportRoutes } from "./routes/support.ts";
import { signatureFault } from "./signature.ts";

/** The HTTP side of the sandbox: the contract's operations behind their signature, and the support endpoints. */
export function createApp(desk: Desk): Hono<Env> {
  const app = new Hono<Env>();

  app.use(bodyReader);
  app.use("/v1/kyc/*", signed(desk));
  app.use("/v1/cards", signed(desk));
  for (const routes of [kycRoutes, cardRoutes, supportRoutes]) app.route("/", routes(desk));

  app.notFound(() => {
    throw new Problem("not_found", "There is nothing here.");
  });
  app.onError((error, call) => {
    if (error instanceof Problem) return call.json(error.body, error.status);
    // A client that leaves in the middle of its body is no fault of ours.
    if (!call.env.outgoing.destroyed) log({ level: "error", message: error.stack ?? error.message });
    return call.json(new Problem("internal", "Something broke.").body, 500);
  });
  return app;
}

function signed({ client, now }: Desk) {
  return createMiddleware<Env>(async (call, next) => {
    const { incoming } = call.env;
    const request = {
      method: incoming.method ?? "",
      target: incoming.url ?? "",
      body: call.get("body"),
      clientId: call.req.header("x-client-id"),
      timestamp: call.req.header("x-timestamp"),
      signature: call.req.header("x-signature"),
    };
    const fault = signatureFault(request, client, now());
    if (fault !== undefined) throw new Problem("unauthenticated", fault);
    await next();
  });
}
