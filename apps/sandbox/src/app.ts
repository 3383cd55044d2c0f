import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { ApiError } from "./api-error.ts";
import { bodyReader } from "./http/body.ts";
import type { Dependencies, Env } from "./http/context.ts";
import { signatureError } from "./http/signature.ts";
import { log } from "./log.ts";
import { actRoutes } from "./routes/acts.ts";
import { answerRoutes } from "./routes/answers.ts";
import { cardRoutes } from "./routes/cards.ts";
import { kycRoutes } from "./routes/kyc.ts";
import { supportRoutes } from "./routes/support.ts";

/** The HTTP app: the signed operations of the contract, and the unsigned support endpoints. */
export function createApp(dependencies: Dependencies): Hono<Env> {
  const app = new Hono<Env>();

  app.use(bodyReader);
  app.use("/v1/*", requireSignature(dependencies));
  for (const routes of [kycRoutes, answerRoutes, actRoutes, cardRoutes, supportRoutes])
    app.route("/", routes(dependencies));

  app.notFound(() => {
    throw new ApiError("not_found", "This route does not exist.");
  });
  app.onError((error, context) => {
    if (error instanceof ApiError) return context.json(error.body, error.status);
    // A client that disconnects while it sends its body is not an error of the sandbox.
    if (!context.env.outgoing.destroyed) log({ level: "error", message: error.stack ?? error.message });
    return context.json(new ApiError("internal", "An internal error occurred.").body, 500);
  });
  return app;
}

function requireSignature({ client, now }: Dependencies) {
  return createMiddleware<Env>(async (context, next) => {
    const { incoming } = context.env;
    const request = {
      method: incoming.method ?? "",
      target: incoming.url ?? "",
      body: context.get("body"),
      clientId: context.req.header("x-client-id"),
      timestamp: context.req.header("x-timestamp"),
      signature: context.req.header("x-signature"),
    };
    const message = signatureError(request, client, now());
    if (message !== undefined) throw new ApiError("unauthenticated", message);
    await next();
  });
}
