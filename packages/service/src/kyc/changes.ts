import { isBehind, maxChangesOfPage, positionBeyondPresent } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { perConnection, pipelineCommit, type Tx, type Work } from "../database/statements.ts";

/** No transaction that may still write has a lower id. */
export const oldestRunning = sql`audit_txid(pg_snapshot_xmin(pg_current_snapshot()))`;

const statements = perConnection((tx) => ({
  present: tx
    .select({ txid: sql<string>`${oldestRunning}::text` })
    .from(sql`(values (1)) as one`)
    .prepare("kyc_changes_present"),
}));

interface ChangeRow {
  txid: bigint;
  id: bigint;
}

interface ChangePage<Change> {
  changes: (Change & { id: string })[];
  /** The position of the next page. */
  lastEventId: string;
  /** Whether more changes exist already. */
  more: boolean;
}

interface ChangeReader<Row extends ChangeRow, Change> {
  /** Runs the work in a transaction. */
  within<T>(work: Work<T>): Promise<T>;
  /** Selects the next changes after a position, and one more than a page has, in the order of their transactions. */
  select(tx: Tx, txid: string, id: string): PromiseLike<Row[]>;
  toChange(row: Omit<Row, "txid" | "id">): Change;
}

/**
 * Reads the changes after a position in one round trip, in the order of their commits, without gaps: a change appears
 * only after every transaction that may still add an earlier change. Without a position: the current position and no changes.
 * @throws Failure INVALID_INPUT for a position beyond the present.
 */
export async function readChanges<Row extends ChangeRow, Change>(
  { within, select, toChange }: ChangeReader<Row, Change>,
  lastEventId: string | undefined,
): Promise<ChangePage<Change>> {
  const page = await within<ChangePage<Change> | undefined>(async (tx) => {
    // Read first: the changes, which are read after it, contain every older change.
    const present = statements(tx).present.execute();
    if (lastEventId === undefined) {
      return pipelineCommit([present], ([now]) => ({ changes: [], lastEventId: startOf(now), more: false }));
    }
    const [txid = "", id = ""] = lastEventId.split("-");
    return pipelineCommit([present, select(tx, txid, id)], ([now, rows]) => {
      const end = startOf(now);
      if (isBehind(end, lastEventId)) return undefined;
      const changes = rows
        .slice(0, maxChangesOfPage)
        .map(({ txid, id, ...row }) => ({ id: `${txid}-${id}`, ...toChange(row) }));
      const more = rows.length > maxChangesOfPage;
      const last = changes.at(-1)?.id ?? end;
      // The second statement may find changes newer than `end`. The next page must not repeat them.
      return { changes, lastEventId: more || isBehind(end, last) ? last : end, more };
    });
  });
  if (!page) throw positionBeyondPresent();
  return page;
}

/** The position before every change that is not in the result. */
function startOf(present: { txid: string }[]): string {
  return `${requireRow(present, "position").txid}-0`;
}
