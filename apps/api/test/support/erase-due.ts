import { erasures, openDatabase } from "@cardbridge/store";
import { openBlobs } from "../../src/boot/files.ts";
import { encryptionKeys } from "../../src/boot/options.ts";
import { readEnv } from "../../src/config/env.ts";

/** Erases the users whose erasure is requested, as a worker does. Returns their number. */
export async function eraseDue(environment: Record<string, string>): Promise<number> {
  const env = readEnv(environment);
  const database = openDatabase({ url: String(env.DATABASE_URL), onError: () => {} });
  try {
    const blobs = await openBlobs(env);
    return await erasures(database, { keys: encryptionKeys(env), blobs }).eraseDue(10);
  } finally {
    await database.close();
  }
}
