import { setTimeout as wait } from "node:timers/promises";
import { ConfigurationError, version } from "@cardbridge/node";
import { createService } from "./api/service.ts";
import { createApp } from "./app.ts";
import type { Env } from "./config/env.ts";
import { createDevelopmentIssuer } from "./development-issuer/issuer.ts";
import { createLog, type Log } from "./http/log.ts";
import { createMetrics, type Metrics } from "./http/metrics.ts";
import { reasonOf } from "./http/reason-of.ts";
import { type Served, serve } from "./http/serve.ts";
import { createMemoryStore } from "./sessions/memory-store.ts";
import { createRedisStore } from "./sessions/redis-store.ts";

interface RunOptions {
  webFolder: string;
  writeLog(line: string): void;
  /** The time in milliseconds. */
  now?: () => number;
}

/**
 * Starts the console's server.
 * @throws ConfigurationError if the service is live, or away, and the development issuer would sign persons in.
 */
export async function runConsole(env: Env, { webFolder, writeLog, now = Date.now }: RunOptions) {
  const { publicUrl, serviceKey, slaHours, links } = env;
  const log = createLog(writeLog, now);
  const metrics = createMetrics();
  const service = createService({ url: env.serviceUrl, key: serviceKey, metrics, now });
  const development = env.issuer
    ? undefined
    : await startDevelopmentIssuer(publicUrl, await service.environment());
  const issuer = env.issuer ?? development?.config;
  if (!issuer) throw new ConfigurationError(["OIDC_ISSUER is missing."]);
  const store = env.redisUrl === undefined ? createMemoryStore(now) : createRedisStore(env.redisUrl);
  const [draining, closing] = [new AbortController(), new AbortController()];
  const app = createApp({
    ...{ publicUrl, serviceKey, issuer, service, store, slaHours, links, webFolder, metrics, log, now },
    draining: draining.signal,
    closing: closing.signal,
  });
  const served: Served = await serve(app.fetch, {
    host: env.host,
    port: env.port,
    mounted: development && { prefix: `${new URL(issuer.issuer).pathname}/`, handle: development.handle },
  });
  const scraped = await serveMetrics(metrics, env.metrics, log);
  log("info", "console_started", { version, issuer: development ? "development" : "configured" });

  /** Calls continue while load balancers learn that the process is not ready, and then for as long as they may. */
  async function stop(): Promise<void> {
    draining.abort();
    await wait(env.shutdown.delayMs);
    closing.abort();
    await served.close(env.shutdown.graceMs);
    await scraped?.close(0);
    await store.close();
    log("info", "console_stopped", { version });
  }

  let stopped: Promise<void> | undefined;
  return {
    url: publicUrl,
    /** Stops once, however often it is called. */
    close(): Promise<void> {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Serves the metrics. If the port is not available, the console logs a warning and runs without metrics. */
async function serveMetrics(
  metrics: Metrics,
  address: Env["metrics"],
  log: Log,
): Promise<Served | undefined> {
  try {
    return await serve(metrics.app.fetch, address);
  } catch (error) {
    log("warn", "metrics_not_served", { port: address.port, reason: reasonOf(error) });
    return undefined;
  }
}

/** The service's own environment decides too: the variables of two processes can differ. */
async function startDevelopmentIssuer(publicUrl: string, environment: string | null) {
  if (environment !== "test") {
    throw new ConfigurationError([
      environment === null
        ? "CARDBRIDGE_URL: The service does not answer. The development issuer starts only beside a service on test."
        : "OIDC_ISSUER is missing. The development issuer never starts beside a live service.",
    ]);
  }
  return createDevelopmentIssuer(publicUrl);
}
