import {
  type CurrentPauses,
  type Environment,
  type EventReader,
  Failure,
  type Tracer,
} from "@cardbridge/domain";
import type { Operations, Ports } from "@cardbridge/service";
import { type Context, Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import type { Authenticate } from "../admission/authenticate.ts";
import { refuseWhilePaused } from "../admission/pauses.ts";
import type { RateLimiter } from "../admission/rate.ts";
import { limitOperations, type Slots } from "../admission/slots.ts";
import { maxTargetLength } from "../config/limits.ts";
import { basePath, docsPath, documentPath, filesPath, mcpPath, trpcPath } from "../config/paths.ts";
import { createDocsApp } from "../http/docs/app.ts";
import type { Site } from "../http/docs/site.ts";
import { toFailure } from "../http/errors/mapping.ts";
import { errorResponse } from "../http/errors/render.ts";
import { mcpRoute } from "../http/mcp/route.ts";
import { constantContent, revalidated } from "../http/middleware/constant-content.ts";
import type { HttpEnv } from "../http/middleware/context.ts";
import { drain } from "../http/middleware/drain.ts";
import { logRequest } from "../http/middleware/log-request.ts";
import { type UploadLimits, uploadReaders } from "../http/middleware/read-upload.ts";
import { refuseCrossOrigin } from "../http/middleware/refuse-cross-origin.ts";
import { traceRequest } from "../http/middleware/trace-request.ts";
import { createDocument } from "../http/openapi/document.ts";
import { createRestApp } from "../http/rest/app.ts";
import type { SignedUrls } from "../http/rest/file-urls.ts";
import { createFilesApp } from "../http/rest/files.ts";
import { createEventsApp } from "../http/rest/provider-events.ts";
import { restRoutes } from "../http/rest/routes.ts";
import type { Log } from "../telemetry/log.ts";
import { createTrpcApp } from "../trpc/app.ts";
import type { Subscriptions } from "../trpc/subscriptions.ts";
import { createHealthApp, type Health } from "./health.ts";

export interface AppOptions {
  operations: Operations;
  ports: Ports;
  /** The ports for the provider's events and its reads of files. */
  providerPorts: Ports;
  slots: Pick<Slots, "operations" | "event-bodies" | "provider-requests" | "searches">;
  pauses: Pick<CurrentPauses, "platform">;
  rateLimiter: RateLimiter;
  subscriptions: Subscriptions;
  /** Authenticates the key of an open subscription again, without a cache. */
  reauthenticate: Authenticate;
  /** Reads the provider's events, if it sends events. */
  eventReader?: EventReader | undefined;
  health: Health;
  publicUrl: string;
  environment: Environment;
  /** The documentation. */
  site: Site;
  log: Log;
  uploads: UploadLimits;
  urls: SignedUrls;
  /** Traces requests. Without it, nothing is traced. */
  tracer?: Tracer | undefined;
}

/** Creates the service as one Hono app. */
export function createApp(options: AppOptions) {
  const { ports, providerPorts, publicUrl, environment, log, urls, tracer } = options;
  const app = new Hono<HttpEnv>();
  const operations = limitOperations(refuseWhilePaused(options.operations, options.pauses), options.slots);
  const routes = restRoutes(operations).filter(({ tag }) => environment !== "live" || tag !== "Sandbox");
  const readUpload = uploadReaders(options.uploads);
  const onUnexpected = (failure: Failure, id: string) => log.unexpected(failure.cause, id);
  const respond = (failure: Failure, c: Context<HttpEnv>, headers: Record<string, string> = {}) =>
    errorResponse(failure, {
      requestId: c.get("requestId"),
      method: c.req.method,
      path: c.req.path,
      headers,
    });

  if (tracer) app.use(traceRequest(tracer));
  app.use(
    logRequest(log, ports.observer),
    // Hono handles only instances of Error, so other thrown values are converted.
    (c, next) =>
      next().catch((thrown: unknown) => {
        throw toFailure(thrown, c.get("call")?.signal);
      }),
    drain,
    (c, next) => {
      if (c.req.url.length > maxTargetLength) throw new Failure("URI_TOO_LONG");
      return next();
    },
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) =>
        respond(new Failure("METHOD_NOT_ALLOWED"), c, { allow: methods.join(", ") }),
    }),
    refuseCrossOrigin(publicUrl),
  );

  app.route("/health", createHealthApp(options.health));
  app.get(`${docsPath}.md`, (c) => c.redirect(`${docsPath}/index.md`, 308));
  app.route(docsPath, createDocsApp(options.site));
  const published = constantContent("application/json", async () =>
    JSON.stringify(createDocument(routes, { publicUrl, environment })),
  );
  app.get(documentPath, published.serve(revalidated));
  app.route(basePath, createRestApp({ routes, ports, readForm: readUpload.form }));
  app.route(
    filesPath,
    createFilesApp({ operations: operations.files, ports, providerPorts, urls, readUpload }),
  );
  const { subscriptions, rateLimiter, reauthenticate } = options;
  app.route(
    trpcPath,
    createTrpcApp({ operations, ports, rateLimiter, subscriptions, reauthenticate, onUnexpected }),
  );
  // What a model reads leaves the service, so real people's data must not be there.
  if (environment !== "live") {
    const { site } = options;
    const { searches } = options.slots;
    app.post(
      mcpPath,
      mcpRoute({ operations, ports, rateLimiter, searches, publicUrl, environment, site, onUnexpected }),
    );
  }
  if (options.eventReader) {
    app.route(
      "/provider/events",
      createEventsApp({
        reader: options.eventReader,
        ports: providerPorts,
        slots: options.slots,
      }),
    );
  }
  app.get("/", (c) => c.redirect(docsPath));
  // Where agents look for it first.
  app.get("/llms.txt", (c) => c.redirect(`${docsPath}/llms.txt`, 308));

  app.notFound((c) => respond(new Failure("ROUTE_NOT_FOUND"), c));
  app.onError((error, c) => {
    const failure = toFailure(error);
    c.set("failure", failure);
    if (failure.code === "INTERNAL_ERROR") onUnexpected(failure, c.get("requestId"));
    return respond(failure, c);
  });
  return app;
}
