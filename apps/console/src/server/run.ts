import { createService } from "./api/service.ts";
import { createApp } from "./app.ts";
import { ConfigurationError } from "./config/configuration-error.ts";
import type { Env } from "./config/env.ts";
import { createDevelopmentIssuer } from "./development-issuer/issuer.ts";
import { createLog } from "./http/log.ts";
import { type Served, serve } from "./http/serve.ts";
import { createMemoryStore } from "./sessions/memory-store.ts";
import { createRedisStore } from "./sessions/redis-store.ts";

/** How long calls may continue after a stop signal, in milliseconds. */
const graceMs = 2_000;

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
  const { publicUrl, slaHours, links } = env;
  const log = createLog(writeLog, now);
  const service = createService({ url: env.serviceUrl, key: env.serviceKey });
  const development = env.issuer
    ? undefined
    : await startDevelopmentIssuer(publicUrl, await service.environment());
  const issuer = env.issuer ?? development?.config;
  if (!issuer) throw new ConfigurationError(["OIDC_ISSUER is missing."]);
  const store = env.redisUrl === undefined ? createMemoryStore(now) : createRedisStore(env.redisUrl);
  const app = createApp({ publicUrl, issuer, service, store, slaHours, links, webFolder, log, now });
  const served: Served = await serve(app.fetch, {
    host: env.host,
    port: env.port,
    mounted: development && { prefix: `${new URL(issuer.issuer).pathname}/`, handle: development.handle },
  });
  log("info", "console_started", { issuer: development ? "development" : "configured" });
  return {
    url: publicUrl,
    async close(): Promise<void> {
      await served.close(graceMs);
      await store.close();
    },
  };
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
