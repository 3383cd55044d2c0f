import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { statementCounter } from "./statement-counter.ts";

export interface DatabaseProxy {
  /** The URL of the database through the proxy. */
  url: string;
  /** Closes the next connection that sends a message with this text, before or after the server receives it. */
  cutAt(text: string, when: "before" | "after"): void;
  /** Closes every connection and rejects new ones until `up` is called. */
  down(): void;
  up(): void;
  /** Buffers every byte in both directions, of new connections too, until `thaw` is called. */
  freeze(): void;
  thaw(): void;
  /** The number of round trips on all connections: client messages that follow a server message. */
  roundTrips(): number;
  /** The number of statements that clients sent on all connections. */
  statements(): number;
  /** The number of commits on all connections. */
  commits(): number;
  close(): Promise<void>;
}

/** The protocol message of a commit. */
const commit = Buffer.from("Q\0\0\0\x0bcommit\0");

function occurrences(chunk: Buffer, text: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(text); at >= 0; at = chunk.indexOf(text, at + text.length)) count += 1;
  return count;
}

/** A TCP proxy that breaks connections to a database at chosen points. */
export async function startDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let cut: { text: string; when: "before" | "after" } | undefined;
  let isDown = false;
  let isFrozen = false;
  let roundTrips = 0;
  let statements = 0;
  let commits = 0;

  const server = createServer((client) => {
    if (isDown) return client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    let dropAnswers = false;
    let serverSpokeLast = true;
    const countStatements = statementCounter();
    upstream.on("data", (chunk) => {
      serverSpokeLast = true;
      return dropAnswers ? client.destroy() : client.write(chunk);
    });
    client.on("data", (chunk: Buffer) => {
      if (serverSpokeLast) roundTrips += 1;
      serverSpokeLast = false;
      statements += countStatements(chunk);
      commits += occurrences(chunk, commit);
      if (!cut || !chunk.includes(cut.text)) return upstream.write(chunk);
      const { when } = cut;
      cut = undefined;
      if (when === "before") return client.destroy();
      dropAnswers = true;
      return upstream.write(chunk);
    });
    if (isFrozen) for (const socket of [client, upstream]) socket.pause();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const proxied = new URL(url);
  proxied.port = String((server.address() as AddressInfo).port);
  return {
    url: proxied.href,
    cutAt: (text, when) => {
      cut = { text, when };
    },
    down() {
      isDown = true;
      breakAll();
    },
    up() {
      isDown = false;
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    roundTrips: () => roundTrips,
    statements: () => statements,
    commits: () => commits,
    close: async () => {
      breakAll();
      server.close();
      await once(server, "close");
    },
  };
}
