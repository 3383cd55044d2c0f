import type { Tx } from "../database/statements.ts";
import { mergeScans } from "../search/merge-scans.ts";
import { comparison, indexesOnly, type SearchPosition } from "../search/order.ts";
import { readScans, type Scan, type ScanRow, type Search, scansOf } from "./search-statements.ts";

interface FoundPage {
  kycRecordIds: string[];
  /** Where the next page starts; null after the last one. */
  next: SearchPosition | null;
  /** Whether the limit of read rows ended the page. */
  narrow: boolean;
}

/** Finds the next records of a search. It reads each scan in the order of creation, and merges the scans. */
export async function findPage(
  tx: Tx,
  search: Search,
  { after, limit }: { after?: SearchPosition | undefined; limit: number },
): Promise<FoundPage> {
  await tx.execute(indexesOnly);
  const { rows, next, narrow } = await mergeScans<Scan, ScanRow>(scansOf(search, after), {
    read: async (scans, size) => (await tx.execute<ScanRow>(readScans(search, scans, size))).rows,
    continueAfter: (scan, row) => ({ ...scan, after: toPosition(row) }),
    compare: comparison(search.order),
    limit,
  });
  return { kycRecordIds: rows.map(({ id }) => id), next: next && toPosition(next), narrow };
}

const toPosition = ({ at, id }: SearchPosition): SearchPosition => ({ at, id });
