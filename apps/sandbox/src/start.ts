import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app.ts";
import { createFetchFile } from "./files/fetch.ts";
import { createInspectFiles } from "./files/inspect.ts";
import { createUrlPrefixMatcher } from "./files/url-prefix.ts";
import { openJournal } from "./state/journal.ts";
import { openState } from "./state/state.ts";
import { createSubmissionHandler } from "./submissions/handler.ts";
import { type StartTimer, startSystemTimer } from "./timers.ts";
import { createDeliver, type EventTarget } from "./webhooks/deliver.ts";
import { cardEvents, submissionEvents } from "./webhooks/events.ts";
import { createWebhookSender } from "./webhooks/sender.ts";

export interface SandboxOptions {
  /** The folder of the journal. It is created if missing. One sandbox at a time may use it. */
  dataFolder: string;
  clientId: string;
  clientSecret: string;
  /** Default: 0, any free port. */
  port?: number;
  /** Default: 127.0.0.1. */
  host?: string;
  /** The receiver of events. Without it, no event is sent. */
  events?: EventTarget | undefined;
  /** URL prefixes, such as `http://127.0.0.1:3000`. Other files are fetched only under the tag `fetch`. */
  fetchUnder?: readonly string[];
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
  /** The timers of that clock. Default: the timers of this process. */
  startTimer?: StartTimer;
  /** The timers of the 5 s timeout of downloads and deliveries. Default: the timers of this process. */
  startDeadline?: StartTimer;
  /** The delay of responses in the `slow` scenario, in milliseconds. Default: 3000. */
  slowMs?: number;
}

export interface Sandbox {
  /** Without a trailing slash. */
  url: string;
  port: number;
  /** Aborts all connections, deliveries and file downloads, then closes the journal. Further calls do nothing. */
  close(): Promise<void>;
}

/**
 * Starts a provider with the state in its data folder.
 * @throws Error when the journal is corrupt, the port is in use, or the URL or secret of `events` or an item of
 * `fetchUnder` is invalid
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = "127.0.0.1", port = 0, now = Date.now, slowMs = 3_000 } = options;
  const {
    startTimer = startSystemTimer,
    startDeadline = startSystemTimer,
    events,
    fetchUnder = [],
  } = options;
  const deliver = events && createDeliver({ ...events, now, startDeadline });
  const inspectFiles = createInspectFiles({
    fetchFile: createFetchFile(startDeadline),
    isFetched: createUrlPrefixMatcher(fetchUnder),
  });
  const journal = openJournal(options.dataFolder);
  const client = { id: options.clientId, secret: options.clientSecret };
  const state = openState(journal);
  const sender = deliver && createWebhookSender({ state, deliver, now, startTimer });
  const submissions = createSubmissionHandler({ state, inspectFiles, now });
  const app = createApp({
    state,
    submissions,
    client,
    now,
    slowMs,
    sendEvents: (source) => sender?.send(source),
  });

  // The global Request and Response belong to the process that embeds the sandbox.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    journal.close();
    throw error;
  }

  for (const execution of state.executions.values()) sender?.send(submissionEvents(execution));
  const changedCards = new Set(state.cardChanges.map(({ cardId }) => cardId));
  for (const cardId of changedCards) sender?.send(cardEvents(state, cardId));

  const bound = (server.address() as AddressInfo).port;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    close() {
      submissions.close();
      closed ??= Promise.all([stop(server), sender?.close()]).then(() => journal.close());
      return closed;
    },
  };
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
