import type { ListedAuditEntry } from "@cardbridge/domain";
import { and, asc, sql } from "drizzle-orm";
import { auditEntries } from "../database/schema.ts";
import { perConnection, pipelineCommit } from "../database/statements.ts";
import type { Ports } from "../operation/ports.ts";
import { beginning } from "./checkpoint.ts";
import type { Entry } from "./digest.ts";
import { isBehind, isOfPlatform, isUpTo, type Position, selectEntries, toListed } from "./entries.ts";

const { placeholder } = sql;

/** The number of entries that one statement reads. No index has the subjects, so each statement must end in time. */
const batchSize = 10_000;
const end = { lastTxid: 2n ** 63n - 1n, lastId: 2n ** 63n - 1n };

const isSince = sql`${auditEntries.at} >= ${placeholder("since")}::timestamptz`;
const isAbout = sql`${auditEntries.subject} = any(${placeholder("subjects")}::text[])`;

const statements = perConnection((tx) => ({
  // The end of a batch of entries; none after the last batch.
  positionBehind: tx
    .select({ txid: auditEntries.txid, id: auditEntries.id })
    .from(auditEntries)
    .where(and(isOfPlatform, isBehind, isSince))
    .orderBy(asc(auditEntries.txid), asc(auditEntries.id))
    .offset(placeholder("skip"))
    .limit(1)
    .prepare("audit_position_behind"),

  entriesAbout: selectEntries(tx, and(isUpTo, isSince, isAbout)).prepare("audit_entries_about"),
}));

/** Yields a platform's committed entries about any of these subjects, oldest first. It reads all entries, in batches. */
export async function* entriesAbout(
  ports: Pick<Ports, "database">,
  platformId: string,
  subjects: readonly string[],
): AsyncIterable<ListedAuditEntry[]> {
  for await (const batch of readAbout(ports, platformId, { subjects })) yield batch.map(toListed);
}

/** As `entriesAbout`, with the stored rows, and only of entries since a time if it is given. */
export async function* readAbout(
  { database }: Pick<Ports, "database">,
  platformId: string,
  { subjects, since }: { subjects: readonly string[]; since?: Date },
): AsyncIterable<Entry[]> {
  let after: Position | undefined = { txid: beginning.lastTxid, id: beginning.lastId };
  while (after) {
    const from = { platformId, ...after, since: since?.toISOString() ?? "-infinity" };
    const batch: Batch = await database.asPlatform(platformId, async (tx) => {
      const { positionBehind, entriesAbout: about } = statements(tx);
      const [next] = await positionBehind.execute({ ...from, skip: batchSize - 1 });
      const to = next ? { lastTxid: next.txid, lastId: next.id } : end;
      return pipelineCommit([about.execute({ ...from, ...to, subjects })], ([entries]) => ({
        entries,
        next,
      }));
    });
    if (batch.entries.length > 0) yield batch.entries;
    after = batch.next;
  }
}

interface Batch {
  entries: Entry[];
  next: Position | undefined;
}
