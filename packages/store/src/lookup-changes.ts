import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { Client } from "pg";
import type { Database } from "./database.ts";
import { safeDatabaseError } from "./failures.ts";

/** The changes of keys and users that processes have looked up. The database's triggers notify of each. */
export interface LookupChanges {
  /** Whether every change arrives here at present. Without that nothing may be cached. */
  areHeard(): boolean;
  /** Calls back for each change with the name of the look-up, in hexadecimal; null if any may have changed. */
  subscribe(onChange: (name: string | null) => void): void;
  close(): Promise<void>;
}

export interface LookupChangesOptions {
  /** A URL whose connections keep their server session: a pooler in transaction mode delivers no notifications. */
  url: string;
  /** The pool of the service, over which the listening connection is tested. */
  database: Pick<Database, "withoutPlatform">;
  /** Called when changes begin to be heard, and when they are not heard any more or cannot be, with the reason. */
  onHeard(heard: boolean, reason?: unknown): void;
  /** The interval of heartbeats, and how long one may stay unanswered, in milliseconds. */
  heartbeatMs?: number | undefined;
  maxSilenceMs?: number | undefined;
}

const channel = "cardbridge_changed_lookups";

/**
 * Listens to changes over a connection of its own and reconnects whenever it breaks. An answered heartbeat proves that
 * all earlier notifications have arrived, so nobody uses a cached result for longer than `maxSilenceMs` after that.
 */
export function listenForChanges({
  url,
  database,
  onHeard,
  heartbeatMs = 1_000,
  maxSilenceMs = 3_000,
}: LookupChangesOptions): LookupChanges {
  const subscribers: ((name: string | null) => void)[] = [];
  const publish = (name: string | null) => {
    for (const subscriber of subscribers) subscriber(name);
  };
  const closing = new AbortController();
  const { signal } = closing;
  /** The open connection, and when the last of its heartbeats that was answered was sent. */
  let current: { client: Client; heardAt: number } | undefined;
  let reported: boolean | undefined;

  function report(heard: boolean, reason?: unknown): void {
    if (reported === heard || signal.aborted) return;
    reported = heard;
    onHeard(heard, reason);
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const reason = await listen().catch((error: unknown) => error);
      current = undefined;
      publish(null);
      report(false, safeDatabaseError(reason));
      await wait(heartbeatMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Listens until the connection breaks, is silent for too long, or `close` is called. */
  async function listen(): Promise<never> {
    const client = new Client({
      connectionString: url,
      application_name: "cardbridge changes",
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: maxSilenceMs,
    });
    const connection = { client, heardAt: Number.NEGATIVE_INFINITY };
    current = connection;
    const broken = new Promise<never>((_, reject) => {
      client.on("error", reject);
      client.on("end", () => reject(new Error("ended")));
    });
    try {
      return await Promise.race([broken, hear(connection)]);
    } finally {
      client.end().catch(() => {});
    }
  }

  async function hear(connection: { client: Client; heardAt: number }): Promise<never> {
    const { client } = connection;
    await client.connect();
    client.on("notification", ({ payload = "" }) => publish(payload));
    await client.query(`listen ${channel}`);
    await testNotification(client);
    // What was looked up before may have changed unheard.
    publish(null);
    while (true) {
      const sentAt = performance.now();
      await client.query("select 1");
      connection.heardAt = sentAt;
      if (current === connection) report(true);
      await wait(heartbeatMs, undefined, { ref: false });
    }
  }

  /** @throws Error `not-heard` where a notification of another connection does not arrive: through a pooler. */
  async function testNotification(client: Client): Promise<void> {
    const test = randomUUID();
    const heard = new Promise<void>((resolve) => {
      client.on("notification", ({ payload }) => payload === test && resolve());
    });
    await database.withoutPlatform((tx) => tx.execute(sql`select pg_notify(${channel}, ${test})`));
    const late = wait(maxSilenceMs, undefined, { ref: false }).then(() => {
      throw new Error("not-heard");
    });
    await Promise.race([heard, late]);
  }

  const running = run();
  return {
    areHeard: () => current !== undefined && performance.now() - current.heardAt < maxSilenceMs,
    subscribe: (onChange) => void subscribers.push(onChange),
    async close() {
      closing.abort();
      current?.client.end().catch(() => {});
      await running;
    },
  };
}
