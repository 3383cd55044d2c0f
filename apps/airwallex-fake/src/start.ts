import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createApiApp, createFilesApp } from "./app.ts";
import { createTokens } from "./auth/tokens.ts";
import type { Webhook } from "./events/deliver.ts";
import { createEvents } from "./events/events.ts";
import { createFaults } from "./faults/faults.ts";
import type { Dependencies } from "./http/context.ts";
import { defaultSettings } from "./state/settings.ts";
import { openStore } from "./state/state.ts";

export interface FakeOptions {
  clientId: string;
  apiKey: string;
  /** The account id in events. Default: `acct_fake`. */
  accountId?: string;
  /** The port of the API. Default: 0, any free port. */
  port?: number;
  /** The port of the files. Default: 0, any free port. */
  filesPort?: number;
  /** The file that preserves the state across restarts. Default: in memory. */
  stateFile?: string | undefined;
  /** The receiver of events as they happen. Without it, tests request deliveries. */
  webhook?: Webhook | undefined;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
}

export interface Fake {
  /** The host of the API, without a trailing slash. It also serves `/__fake/…`. */
  url: string;
  /** The host of files. */
  filesUrl: string;
  /** Closes all connections and stops deliveries. */
  close(): Promise<void>;
}

/**
 * Starts the fake on two ports of this machine, because Airwallex accepts files at a separate host.
 * @throws Error if a port is in use or the state file is not JSON
 */
export async function startFake(options: FakeOptions): Promise<Fake> {
  const { accountId = "acct_fake", now = Date.now, webhook, port = 0, filesPort = 0 } = options;
  const store = openStore(options.stateFile);
  const settings = defaultSettings();
  const events = createEvents({ state: store.state, accountId, now, webhook });
  const dependencies: Dependencies = {
    store,
    settings,
    events,
    now,
    tokens: createTokens(settings, now),
    faults: createFaults(),
    requests: [],
    credentials: { clientId: options.clientId, apiKey: options.apiKey },
  };
  const api = await listen(createApiApp(dependencies), port);
  const files = await listen(createFilesApp(dependencies), filesPort);
  return {
    url: urlOf(api),
    filesUrl: urlOf(files),
    async close() {
      events.close();
      await Promise.all([stop(api), stop(files)]);
    },
  };
}

async function listen(app: ReturnType<typeof createApiApp>, port: number): Promise<Server> {
  // The global Request and Response belong to the process that embeds the fake.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
