import type { Tracer } from "@cardbridge/domain";
import { Pool } from "pg";
import { checkServer } from "./current-server.ts";
import { traceStatements } from "./trace-statements.ts";
import { sendWithoutNames } from "./unnamed-statements.ts";

export interface PoolOptions {
  url: string;
  /** The age after which an idle connection ends, in seconds. Without it, connections live as long as the process. */
  maxAgeSeconds?: number | undefined;
  /** 10 when absent. */
  maxConnections?: number | undefined;
  /** The limit of the wait for a connection, free or new, in milliseconds. 5000 when absent. */
  connectMs?: number | undefined;
  /** False behind a pooler that keeps no prepared statements. True when absent. */
  preparedStatements?: boolean | undefined;
  /** Traces the statements. A row that a later attempt continues keeps the trace of its transaction. */
  tracer?: Tracer | undefined;
}

/**
 * Creates a connection pool, which connects on demand, and to the primary only. The limits of time on the server are
 * settings of the role (`setTimeLimits`), because PgBouncer refuses them as parameters of a connection.
 */
export function createPool(options: PoolOptions): Pool {
  const {
    url,
    maxConnections,
    maxAgeSeconds,
    connectMs = 5_000,
    preparedStatements = true,
    tracer,
  } = options;
  const pool = new Pool({
    connectionString: url,
    max: maxConnections ?? 10,
    // After a failover, a connection can lead to the wrong server without an error.
    ...(maxAgeSeconds === undefined ? {} : { maxLifetimeSeconds: maxAgeSeconds }),
    pipeline: true,
    application_name: "cardbridge",
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    // Ends a query when the server stops responding; longer than the server's own limit.
    query_timeout: 15_000,
    onConnect: checkServer,
  });
  // A connection that breaks while in use fails its statements. Without a listener, its error event ends the process.
  pool.on("connect", (client) => {
    client.on("error", () => {});
    if (!preparedStatements) sendWithoutNames(client);
    if (tracer) traceStatements(client, tracer);
  });
  return pool;
}
