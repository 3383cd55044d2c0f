import { Hono } from "hono";
import { createApi } from "./api/app.ts";
import type { Service } from "./api/service.ts";
import { createAuth } from "./auth/app.ts";
import { createIdentityProvider } from "./auth/identity-provider.ts";
import { logoutTokens } from "./auth/logout-token.ts";
import type { IssuerConfig, Links } from "./config/env.ts";
import type { Log } from "./http/log.ts";
import { problemResponse } from "./http/problem.ts";
import { logRequests, type RequestVariables } from "./http/request-log.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { serveWebFiles } from "./http/web-files.ts";
import { createCookies } from "./sessions/cookies.ts";
import { createSessions } from "./sessions/sessions.ts";
import type { Store } from "./sessions/store.ts";

export interface AppOptions {
  publicUrl: string;
  issuer: IssuerConfig;
  service: Service;
  store: Store;
  slaHours: number;
  links: Links;
  /** The folder of the built pages. */
  webFolder: string;
  log: Log;
  /** The time in milliseconds. */
  now: () => number;
  streamCheckMs?: number | undefined;
}

/** The console's server: pages, sign-in, and the way to the service. */
export function createApp(options: AppOptions): Hono<{ Variables: RequestVariables }> {
  const { publicUrl, issuer, store, log, now } = options;
  const sessions = createSessions(store, now);
  const cookies = createCookies(publicUrl);
  const identityProvider = createIdentityProvider(issuer, publicUrl, now);
  const verifyLogout = logoutTokens(identityProvider.metadata, issuer.clientId, now);

  const app = new Hono<{ Variables: RequestVariables }>();
  app.use(securityHeaders(publicUrl, new URL(issuer.issuer).origin));
  app.use(logRequests(log, now));
  app.onError((error, c) => {
    log("error", "unexpected_error", { reason: error.name });
    return problemResponse("INTERNAL_ERROR", c.get("requestId"));
  });

  app.get("/health/live", (c) => c.json({ status: "live" }));
  app.get("/health/ready", (c) =>
    sessions.check().then(
      () => c.json({ status: "ready" }),
      () => c.json({ status: "not ready", reasons: ["The store of the sessions is not available."] }, 503),
    ),
  );
  app.route("/auth", createAuth({ publicUrl, identityProvider, verifyLogout, sessions, cookies, log }));
  app.route("/api", createApi({ ...options, sessions, cookies, identityProvider }));
  app.all("*", serveWebFiles(options.webFolder));
  return app;
}
