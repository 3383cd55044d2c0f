import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";

// An arbitrary constant: nothing else takes an advisory lock in the database `postgres`.
const folderLock = 7_203_115;

/** Another running process owns the data folder. */
export class FolderInUse extends Error {
  constructor(folder: string) {
    super(`the data folder ${folder} is in use by another cardbridge; stop it or set DATA_DIR`);
    this.name = "FolderInUse";
  }
}

/**
 * Locks a data folder for this process while the returned connection is open. The server may release the lock of a
 * killed process with a delay, so this function tries for three seconds.
 * @throws FolderInUse.
 */
export async function lockFolder(adminUrl: string, folder: string): Promise<Client> {
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
    folderLock,
  ]);
  return rows[0]?.locked === true;
}
