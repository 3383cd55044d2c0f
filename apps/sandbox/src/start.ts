import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app.ts";
import { openBook } from "./book.ts";
import { openJournal } from "./journal.ts";

export interface SandboxOptions {
  /** The folder of the journal; it is made when it is missing. One sandbox at a time. */
  dataFolder: string;
  clientId: string;
  clientSecret: string;
  /** 0, the default, takes a free port. */
  port?: number;
  /** 127.0.0.1 unless told otherwise. */
  host?: string;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
  /** How long the `slow` scenario takes to answer, in milliseconds; 3000 unless told otherwise. */
  slowMs?: number;
}

export interface Sandbox {
  /** Without a slash at the end. */
  url: string;
  port: number;
  /** Drops every connection, also one that is never answered, and closes the journal. May be called again. */
  close(): Promise<void>;
}

/** Starts a provider on what its data folder remembers. Rejects when the journal is corrupt or the port is taken. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = "127.0.0.1", port = 0, now = Date.now, slowMs = 3_000 } = options;
  const journal = openJournal(options.dataFolder);
  const client = { id: options.clientId, secret: options.clientSecret };
  const app = createApp({ book: openBook(journal), client, now, slowMs });

  // The global Request and Response belong to whoever starts a sandbox in its own process.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    journal.close();
    throw error;
  }

  const bound = (server.address() as AddressInfo).port;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    close() {
      closed ??= stop(server).then(() => journal.close());
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
