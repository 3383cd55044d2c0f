import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app.ts";
import { openBook } from "./book.ts";
import { createCourier } from "./courier.ts";
import { createDelivery, type EventTarget } from "./delivery.ts";
import { createFetchFile } from "./fetch-file.ts";
import { createInspection } from "./inspection.ts";
import { openJournal } from "./journal.ts";
import { createReception } from "./reception.ts";
import { onTimers, type Schedule } from "./schedule.ts";
import { under } from "./under.ts";

export interface SandboxOptions {
  /** The folder of the journal; it is made when it is missing. One sandbox at a time. */
  dataFolder: string;
  clientId: string;
  clientSecret: string;
  /** 0, the default, takes a free port. */
  port?: number;
  /** 127.0.0.1 unless told otherwise. */
  host?: string;
  /** Where events are sent; none are without it. */
  events?: EventTarget | undefined;
  /** Addresses, such as `http://127.0.0.1:3000`: files under them are fetched, all others under the tag `fetch` only. */
  fetchUnder?: readonly string[];
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
  /** What waits on that clock; the timers of this process unless told otherwise. */
  schedule?: Schedule;
  /** How long the `slow` scenario takes to answer, in milliseconds; 3000 unless told otherwise. */
  slowMs?: number;
}

export interface Sandbox {
  /** Without a slash at the end. */
  url: string;
  port: number;
  /**
   * Drops every connection, also one that is never answered, an event that is not taken or a file that does
   * not come, and closes the journal. May be called again.
   */
  close(): Promise<void>;
}

/**
 * Starts a provider on what its data folder remembers. Rejects when the journal is corrupt, the port is taken,
 * or the events' URL or secret, or an address to fetch under, cannot be used.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = "127.0.0.1", port = 0, now = Date.now, slowMs = 3_000 } = options;
  const { schedule = onTimers, events, fetchUnder = [] } = options;
  const deliver = events && createDelivery({ ...events, now, schedule });
  const inspect = createInspection({ fetchFile: createFetchFile(schedule), isFetched: under(fetchUnder) });
  const journal = openJournal(options.dataFolder);
  const client = { id: options.clientId, secret: options.clientSecret };
  const book = openBook(journal);
  const courier = deliver && createCourier({ book, deliver, now, schedule });
  const reception = createReception({ book, inspect, now });
  const app = createApp({
    book,
    reception,
    client,
    now,
    slowMs,
    follow: (execution) => courier?.follow(execution),
  });

  // The global Request and Response belong to whoever starts a sandbox in its own process.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    journal.close();
    throw error;
  }

  for (const execution of book.executions.values()) courier?.follow(execution);

  const bound = (server.address() as AddressInfo).port;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    close() {
      reception.close();
      closed ??= Promise.all([stop(server), courier?.close()]).then(() => journal.close());
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
