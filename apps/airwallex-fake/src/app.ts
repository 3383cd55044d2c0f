import { Hono } from "hono";
import { adminRoutes } from "./admin/routes.ts";
import { cardholderRoutes } from "./api/cardholders.ts";
import { cardRoutes } from "./api/cards.ts";
import { fileRoutes } from "./api/files.ts";
import { loginRoutes, requireToken } from "./api/login.ts";
import { rfiRoutes } from "./api/rfis.ts";
import { ApiError } from "./api-error.ts";
import type { Dependencies, Env } from "./http/context.ts";
import { injectFaults } from "./http/inject-faults.ts";
import { recorder } from "./http/recorder.ts";
import { log } from "./log.ts";

/** The app of the API host, with the admin routes for tests. */
export function createApiApp(dependencies: Dependencies): Hono<Env> {
  const app = createApp(dependencies);
  app.route("/", loginRoutes(dependencies));
  app.use("/api/*", requireToken(dependencies));
  for (const routes of [cardholderRoutes, cardRoutes, rfiRoutes]) app.route("/", routes(dependencies));
  app.route("/__fake", adminRoutes(dependencies));
  return app;
}

/** The app of the files host. */
export function createFilesApp(dependencies: Dependencies): Hono<Env> {
  const app = createApp(dependencies);
  app.use("/api/*", requireToken(dependencies));
  app.route("/", fileRoutes(dependencies));
  return app;
}

function createApp(dependencies: Dependencies): Hono<Env> {
  const app = new Hono<Env>();
  app.use("/api/*", async (context, next) => {
    await next();
    const request = context.get("request");
    if (!context.env.outgoing.headersSent && !context.env.outgoing.destroyed) {
      request.status = context.res.status;
    }
  });
  app.use("/api/*", recorder(dependencies));
  app.use("/api/*", injectFaults(dependencies));
  app.notFound((context) => context.json(new ApiError("not_found", "This route does not exist.").body, 404));
  app.onError((error, context) => {
    if (error instanceof ApiError) return context.json(error.body, error.status);
    if (!context.env.outgoing.destroyed) log({ level: "error", message: error.stack ?? error.message });
    return context.json(new ApiError("internal_error", error.message).body, 500);
  });
  return app;
}
