import { Hono } from "hono";
import { createApi } from "./api/app.ts";
import { IssuerUnavailable } from "./api/current-session.ts";
import type { Service } from "./api/service.ts";
import { createAuth } from "./auth/app.ts";
import { createIdentityProvider } from "./auth/identity-provider.ts";
import { logoutTokens } from "./auth/logout-token.ts";
import type { IssuerConfig, Links } from "./config/env.ts";
import { createHealth } from "./http/health.ts";
import type { Log } from "./http/log.ts";
import type { Metrics } from "./http/metrics.ts";
import { problemResponse } from "./http/problem.ts";
import { reasonOf } from "./http/reason-of.ts";
import { logRequests, type RequestVariables } from "./http/request-log.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { webFiles } from "./http/web-files.ts";
import { createCookies } from "./sessions/cookies.ts";
import { createSessions } from "./sessions/sessions.ts";
import { type Store, StoreUnavailable } from "./sessions/store.ts";

export interface AppOptions {
  publicUrl: string;
  serviceKey: string;
  issuer: IssuerConfig;
  service: Service;
  store: Store;
  slaHours: number;
  links: Links;
  /** The folder of the built pages. */
  webFolder: string;
  metrics: Metrics;
  log: Log;
  /** The time in milliseconds. */
  now: () => number;
  streamCheckMs?: number | undefined;
  /** The time limit of a health check, in milliseconds. */
  answerMs?: number | undefined;
  /** Aborted when the process begins to stop, and reports that it is not ready. */
  draining?: AbortSignal | undefined;
  /** Aborted when it ends its streams. */
  closing?: AbortSignal | undefined;
}

/** The console's server: pages, sign-in, and the way to the service. */
export function createApp(options: AppOptions): Hono<{ Variables: RequestVariables }> {
  const { publicUrl, issuer, service, store, metrics, log, now, draining, answerMs } = options;
  const sessions = createSessions(store, now);
  const cookies = createCookies(publicUrl);
  const identityProvider = createIdentityProvider(issuer, publicUrl, now);
  const health = createHealth({
    sessions: sessions.check,
    service: service.check,
    issuer: identityProvider.metadata,
    draining,
    answerMs,
  });
  metrics.addDependencies(health.dependencies);
  if (sessions.count) metrics.addSessions(sessions.count);
  const verifyLogout = logoutTokens(identityProvider.metadata, issuer.clientId, now);

  const app = new Hono<{ Variables: RequestVariables }>();
  app.use(securityHeaders(publicUrl, new URL(issuer.issuer).origin));
  app.use(logRequests(log, metrics, now));
  app.onError((error, c) => {
    const isIssuer = error instanceof IssuerUnavailable;
    if (isIssuer || error instanceof StoreUnavailable) {
      const message = isIssuer ? "issuer_unavailable" : "sessions_unavailable";
      log("warn", message, { reason: reasonOf(isIssuer ? error.cause : error) });
      return problemResponse("SERVICE_UNAVAILABLE", c.get("requestId"));
    }
    log("error", "unexpected_error", { reason: error.name });
    return problemResponse("INTERNAL_ERROR", c.get("requestId"));
  });

  app.route("/health", health.app);
  app.route("/auth", createAuth({ ...options, identityProvider, verifyLogout, sessions, cookies }));
  app.route("/api", createApi({ ...options, sessions, cookies, identityProvider }));
  app.route("/", webFiles(options.webFolder));
  return app;
}
