import { Client } from "pg";

/**
 * Runs `use` on one connection of its own and ends it, which gives back whatever it locked or left open.
 * @throws what the driver throws; this is for owners and tools, not for serving.
 */
export async function withConnection<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, pipeline: true });
  client.on("error", () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}
