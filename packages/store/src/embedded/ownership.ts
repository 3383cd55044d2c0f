import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";

// Any constant: nothing else locks anything in this database of the server.
const ownerLock = 7_203_115;

/** The data folder belongs to another cardbridge that runs now. */
export class FolderInUse extends Error {
  constructor(folder: string) {
    super(`the data folder ${folder} is in use by another cardbridge; stop it or set DATA_DIR`);
    this.name = "FolderInUse";
  }
}

/**
 * Makes this process the one owner of a data folder, for as long as the connection that it returns is open.
 * An owner that was killed may take a moment to be forgotten, so this tries for three seconds.
 * @throws FolderInUse.
 */
export async function own(adminUrl: string, folder: string): Promise<Client> {
  const client = new Client({ connectionString: adminUrl, connectionTimeoutMillis: 5_000, keepAlive: true });
  client.on("error", () => {});
  try {
    await client.connect();
    const deadline = Date.now() + 3_000;
    while (!(await tryLock(client))) {
      if (Date.now() > deadline) throw new FolderInUse(folder);
      await wait(100);
    }
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
    ownerLock,
  ]);
  return rows[0]?.locked === true;
}
