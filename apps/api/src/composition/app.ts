import { type ApiKeys, Failure, type Policies } from "@cardbridge/domain";
import { Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { authenticate } from "../middleware/authenticate.ts";
import { guardLookUps } from "../api-keys/limit-unknown-keys.ts";
import { createDocsApp } from "../docs/app.ts";
import { toFailure } from "../errors/mapping.ts";
import { createFilesApp } from "../file-downloads/app.ts";
import { filesPath, type SignedUrls } from "../file-downloads/file-urls.ts";
import { type UploadLimits, uploadReaders } from "../middleware/read-upload.ts";
import { addHeaders } from "../middleware/add-headers.ts";
import { constantJson } from "../middleware/constant-json.ts";
import type { HttpEnv } from "../middleware/context.ts";
import { drain } from "../middleware/drain.ts";
import { createHealthApp, type Health } from "../health/app.ts";
import { maxTargetLength } from "../server/limits.ts";
import { refuseCrossOrigin } from "../middleware/refuse-cross-origin.ts";
import { requestId } from "./ids.ts";
import { callCounter, limitRate } from "../middleware/limit-rate.ts";
import type { RateLimiter } from "../rate-limits/rate-limiter.ts";
import type { Log } from "../observability/log.ts";
import { createDocument } from "../openapi/document.ts";
import { createOperations, type Ports } from "./operations/index.ts";
import { createRestApp, renderProblem } from "../rest/app.ts";
import { basePath, restRoutes } from "../rest/routes.ts";
import { createTrpcApp } from "../trpc/app.ts";
import { isTrpc, trpcPath } from "../trpc/path.ts";
import { renderTrpcError } from "../trpc/render-error.ts";

export interface AppOptions {
  policies: Policies;
  ports: Ports;
  apiKeys: ApiKeys;
  allowDemoKeys: boolean;
  rateLimiter: RateLimiter;
  /** Takes the provider's events, where it sends any. */
  events?: Hono<HttpEnv> | undefined;
  health: Health;
  publicUrl: string;
  /** What the document says beyond the interface, in Markdown. */
  notes: string;
  /** The file of the docs page's script. */
  docsScript: URL;
  log: Log;
  /** How files are uploaded, and under which addresses they are. */
  uploads: UploadLimits;
  urls: SignedUrls;
}

/** The whole service as one Hono app, given everything that it uses. */
export function createApp({
  policies,
  ports,
  apiKeys,
  allowDemoKeys,
  rateLimiter,
  events,
  health,
  publicUrl,
  notes,
  docsScript,
  log,
  uploads,
  urls,
}: AppOptions) {
  const app = new Hono<HttpEnv>();
  const operations = createOperations(policies);
  const routes = restRoutes(operations);
  const document = () => createDocument(routes, publicUrl, notes);
  const guard = authenticate({
    apiKeys: guardLookUps(apiKeys),
    platforms: ports.platforms,
    allowDemoKeys,
  });
  const countCall = callCounter(rateLimiter);
  const limit = limitRate(countCall);
  const readUpload = uploadReaders(uploads);
  const onUnforeseen = (failure: Failure, id: string) => log.unforeseen(failure.cause, id);

  app.use(async (c, next) => {
    const started = performance.now();
    c.set("requestId", requestId());
    await next();
    addHeaders(c, { "x-request-id": c.get("requestId"), ...c.get("allowance")?.headers });
    log.request(c, performance.now() - started);
  });
  // Hono takes care of errors alone: anything else that is thrown becomes one.
  app.use((_c, next) =>
    next().catch((thrown: unknown) => {
      throw toFailure(thrown);
    }),
  );
  app.use(
    drain,
    (c, next) => {
      if (c.req.url.length > maxTargetLength) throw new Failure("URI_TOO_LONG");
      return next();
    },
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) =>
        renderProblem(new Failure("METHOD_NOT_ALLOWED"), c.get("requestId"), "pointer", {
          allow: methods.join(", "),
        }),
    }),
    refuseCrossOrigin(publicUrl),
  );

  app.route("/health", createHealthApp(health));
  app.route("/docs", createDocsApp(document, docsScript));
  app.get(`${basePath}/openapi.json`, constantJson(document));
  app.route(basePath, createRestApp(routes, ports, guard, limit, readUpload.form));
  app.route(
    filesPath,
    createFilesApp({ upload: operations.files.upload, ports, urls, authenticate: guard, limit, readUpload }),
  );
  app.route(trpcPath, createTrpcApp({ operations, ports, authenticate: guard, countCall, onUnforeseen }));
  if (events) app.route("/provider/events", events);
  app.get("/", (c) => c.redirect("/docs"));

  app.notFound((c) => renderProblem(new Failure("ROUTE_NOT_FOUND"), c.get("requestId")));
  app.onError((error, c) => {
    const failure = toFailure(error);
    c.set("failure", failure);
    if (failure.code === "INTERNAL_ERROR") onUnforeseen(failure, c.get("requestId"));
    return isTrpc(c.req.path)
      ? renderTrpcError(failure, c.get("requestId"), c.req.method)
      : renderProblem(failure, c.get("requestId"), c.req.method === "GET" ? "parameter" : "pointer");
  });
  return app;
}
