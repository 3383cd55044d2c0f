import type { ListedAuditEntry } from "@cardbridge/domain";
import type { Database } from "../database/database.ts";
import { pipelineCommit } from "../database/statements.ts";
import { beginning } from "./create-checkpoint.ts";
import type { Entry } from "./digest.ts";
import { auditStatements, type Position } from "./statements.ts";
import { toListed } from "./to-listed.ts";

/** The number of entries that one statement reads. No index has the subjects, so each statement must end in time. */
const batchSize = 10_000;
const end = { lastTxid: 2n ** 63n - 1n, lastId: 2n ** 63n - 1n };

/** Reads all entries of a platform batch by batch, and yields those about the subjects; see the port. */
export async function* entriesAbout(
  database: Database,
  platformId: string,
  subjects: readonly string[],
): AsyncIterable<ListedAuditEntry[]> {
  for await (const batch of readAbout(database, platformId, { subjects })) yield batch.map(toListed);
}

/** As `entriesAbout`, with the stored rows, and only of entries since a time if it is given. */
export async function* readAbout(
  database: Database,
  platformId: string,
  { subjects, since }: { subjects: readonly string[]; since?: Date },
): AsyncIterable<Entry[]> {
  let after: Position | undefined = { txid: beginning.lastTxid, id: beginning.lastId };
  while (after) {
    const from = { platformId, ...after, since: since?.toISOString() ?? "-infinity" };
    const batch: Batch = await database.asPlatform(platformId, async (tx) => {
      const { positionBehind, entriesAbout: about } = auditStatements(tx);
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
