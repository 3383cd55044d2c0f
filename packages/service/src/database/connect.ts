import { Client } from "pg";

/**
 * Runs `use` on a new connection, then ends the connection, which releases its locks and its open transaction. For
 * the owner and for tools; the service uses a pool. A firewall does not forget it while a statement runs for long.
 * @throws the errors of the driver.
 */
export async function withConnection<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}
