import { internalPlatformId, type ListedBlobs, ReasonError } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { unavailable } from "../database/errors.ts";
import {
  type ErasureEntry,
  firstHash,
  hashOfEntry,
  nameOfEntry,
  parseEntry,
  toColumns,
} from "./erasure-entry.ts";

/** The number of objects that are read at once. */
const readAtOnce = 32;
const adoptedAtOnce = 1_000;

interface ErasureLogOptions {
  /** The store that survives the loss of the database. */
  blobs: Pick<ListedBlobs, "create" | "get">;
  /** Signs the entries. */
  key: Buffer;
}

/** The entries that the file store has, and why they are not the whole log, as sentences. */
interface StoredErasures {
  entries: ErasureEntry[];
  problems: string[];
}

/** The end of the log, as the database knows it. */
interface LogEnd {
  databaseName: string;
  /** 0 without an entry. */
  number: number;
  hash: Buffer;
}

/**
 * The log of erasures outside the database. An entry is committed in the database, then stored as an object, and then
 * its user may be erased. A crash in between leaves at most an entry whose erasure follows.
 */
export function erasureLog(database: Database, { blobs, key }: ErasureLogOptions) {
  /** Adds up to `limit` users who are due to be erased to the chain. */
  async function extend(limit: number): Promise<void> {
    await database.asPlatform(internalPlatformId, async (tx) => {
      const { rows } = await tx.execute<{ platform_id: string; user_id: string }>(
        sql`select platform_id, user_id from plan_erasures(${limit})`,
      );
      let { number, hash: previousHash } = await readEnd(tx);
      const at = new Date();
      const entries = rows.map((row) => {
        number += 1;
        const content = { number, platformId: row.platform_id, userId: row.user_id, at, previousHash };
        previousHash = hashOfEntry(content, key);
        return { ...content, hash: previousHash };
      });
      if (entries.length > 0) await put(tx, entries, false);
    });
  }

  async function store(databaseName: string, entry: ErasureEntry): Promise<void> {
    const name = nameOfEntry(databaseName, entry.number);
    const object = Buffer.from(JSON.stringify(toColumns(entry)));
    if (await blobs.create(name, object)) return;
    // A restored database that was not checked would number its erasures as those that it lost.
    const existing = await blobs.get(name);
    if (existing === null || !object.equals(existing))
      throw unavailable(new ReasonError("erasure-log-differs"));
  }

  /** The objects of the log, in order. */
  async function* objects(databaseName: string): AsyncGenerator<Uint8Array> {
    for (let first = 1; ; first += readAtOnce) {
      const numbers = Array.from({ length: readAtOnce }, (_, index) => first + index);
      const batch = await Promise.all(numbers.map((number) => blobs.get(nameOfEntry(databaseName, number))));
      for (const object of batch) {
        if (object === null) return;
        yield object;
      }
    }
  }

  return {
    /** Makes the log have up to `limit` users who are due to be erased. @throws Failure SERVICE_UNAVAILABLE. */
    async record(limit: number): Promise<void> {
      await extend(limit);
      const { rows } = await database.withoutPlatform((tx) =>
        tx.execute<EntryRow & { database_name: string }>(
          sql`select database_name, entry.number::float8, platform_id, user_id, at, previous_hash, entry.hash
            from list_unstored_erasures(${limit}) as entry, read_erasure_log_end()
            order by entry.number`,
        ),
      );
      for (const row of rows) {
        const entry = toEntry(row);
        await store(row.database_name, entry);
        await database.withoutPlatform((tx) => tx.execute(sql`select mark_erasure_stored(${entry.number})`));
      }
    },

    /** Whether the file store has an entry that the database lacks: the database was restored. */
    async isAhead(): Promise<boolean> {
      for (let known = -1; ; ) {
        const { databaseName, number } = await database.withoutPlatform(readEnd);
        // A worker can add an entry between the two looks. Then the database has it by now.
        if (number === known) return true;
        if ((await blobs.get(nameOfEntry(databaseName, number + 1))) === null) return false;
        known = number;
      }
    },

    /** Reads and verifies all entries of the file store. @throws Failure SERVICE_UNAVAILABLE. */
    async read(): Promise<StoredErasures> {
      const end = await database.withoutPlatform(readEnd);
      const entries: ErasureEntry[] = [];
      const problems: string[] = [];
      for await (const object of objects(end.databaseName)) {
        const entry = parseEntry(object, key);
        const number = entries.length + 1;
        const previousHash = entries.at(-1)?.hash ?? firstHash;
        if (entry?.number === number && entry.previousHash.equals(previousHash)) entries.push(entry);
        else return { entries, problems: [`Entry ${number} of the log of erasures was changed.`] };
      }
      const same = entries[end.number - 1];
      if (end.number > entries.length) {
        const pending = await database.withoutPlatform((tx) =>
          tx.execute(sql`select from list_unstored_erasures(${end.number})`),
        );
        const stored = end.number - pending.rows.length;
        if (stored > entries.length)
          problems.push(
            `The log of erasures lacks entries: it has ${entries.length}, and the database ${stored}.`,
          );
      } else if (same && !same.hash.equals(end.hash))
        problems.push(`Entry ${end.number} of the log of erasures differs from that of the database.`);
      return { entries, problems };
    },

    /** Stores entries of the file store that the database lacks, so that the next erasure continues the chain. */
    async adopt(entries: readonly ErasureEntry[]): Promise<void> {
      for (let start = 0; start < entries.length; start += adoptedAtOnce) {
        const batch = entries.slice(start, start + adoptedAtOnce);
        await database.withoutPlatform((tx) => put(tx, batch, true));
      }
    },
  };
}

interface EntryRow extends Record<string, unknown> {
  number: number;
  platform_id: string;
  user_id: string;
  at: Date;
  previous_hash: Buffer;
  hash: Buffer;
}

const toEntry = ({ number, platform_id, user_id, at, previous_hash, hash }: EntryRow): ErasureEntry => ({
  number,
  platformId: platform_id,
  userId: user_id,
  at: new Date(at),
  previousHash: previous_hash,
  hash,
});

type Executor = Parameters<Parameters<Database["withoutPlatform"]>[0]>[0];

async function readEnd(tx: Executor): Promise<LogEnd> {
  const { rows } = await tx.execute<{ database_name: string; number: number; hash: Buffer | null }>(
    sql`select database_name, number::float8, hash from read_erasure_log_end()`,
  );
  const [row] = rows;
  return { databaseName: row?.database_name ?? "", number: row?.number ?? 0, hash: row?.hash ?? firstHash };
}

async function put(tx: Executor, entries: readonly ErasureEntry[], inFileStore: boolean): Promise<void> {
  await tx.execute(
    sql`select put_erasures(${JSON.stringify(entries.map(toColumns))}::jsonb, ${inFileStore})`,
  );
}
