import type { ListedAuditEntry } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import { pipelineCommit } from "../transaction.ts";
import { beginning } from "./checkpoint.ts";
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
  let after: Position | undefined = { txid: beginning.lastTxid, id: beginning.lastId };
  while (after) {
    const from = { platformId, ...after };
    const batch: Batch = await database.asPlatform(platformId, async (tx) => {
      const { positionBehind, entriesAbout: about } = auditStatements(tx);
      const [next] = await positionBehind.execute({ ...from, skip: batchSize - 1 });
      const to = next ? { lastTxid: next.txid, lastId: next.id } : end;
      return pipelineCommit([about.execute({ ...from, ...to, subjects })], ([rows]) => ({
        entries: rows.map(toListed),
        next,
      }));
    });
    if (batch.entries.length > 0) yield batch.entries;
    after = batch.next;
  }
}

interface Batch {
  entries: ListedAuditEntry[];
  next: Position | undefined;
}
