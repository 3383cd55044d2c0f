import { type DatabaseProxy, startDatabaseProxy } from "@cardbridge/service/database/testing";
import { type ProviderProxy, startProviderProxy } from "../deep/faults/cluster/provider-proxy.ts";
import { startTestService } from "./test-service.ts";

type Options = Parameters<typeof startTestService>[0];

/** Starts a test service with proxies to its database and its provider, which can fail and which count. */
export async function startProxiedService(options: Options = {}) {
  let database: DatabaseProxy | undefined;
  let provider: ProviderProxy | undefined;
  const service = await startTestService({
    // An event of the sandbox could come at any time.
    events: false,
    ...options,
    async databaseUrl(url) {
      database = await startDatabaseProxy(url);
      return database.url;
    },
    async providerUrl(url) {
      provider = await startProviderProxy(url);
      return provider.url;
    },
  });
  if (!database || !provider) throw new Error("The service requested no proxy URL.");
  const proxies = { database, provider };
  return {
    ...service,
    ...proxies,
    async stop() {
      await service.stop();
      await Promise.all([proxies.database.close(), proxies.provider.close()]);
    },
  };
}

export type ProxiedService = Awaited<ReturnType<typeof startProxiedService>>;
