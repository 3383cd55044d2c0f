import { maxRowsOfSearch } from "@cardbridge/domain";
import { indexesOnly } from "../indexes-only.ts";
import type { Tx } from "../statements.ts";
import type { SearchPosition } from "./search-cursor.ts";
import { readScans, type ScanRow, type Search, scansOf } from "./search-statements.ts";

interface FoundPage {
  kycRecordIds: string[];
  /** Where the next page starts; null after the last one. */
  next: SearchPosition | null;
  /** Whether the limit of read rows ended the page. */
  narrow: boolean;
}

/** Each statement reads more rows of a scan than the previous one, because few rows match. */
const growth = 4;

/**
 * Finds the next records of a search. It reads each scan in the order of creation, and merges the scans up to the first
 * row that one of them has not read.
 */
export async function findPage(
  tx: Tx,
  search: Search,
  { after, limit }: { after?: SearchPosition | undefined; limit: number },
): Promise<FoundPage> {
  const compare = comparison(search.order);
  let scans = scansOf(search, after);
  const found: ScanRow[] = [];
  let rowsRead = 0;
  await tx.execute(indexesOnly);
  for (let size = limit + 1; ; size *= growth) {
    const ofScan = Math.min(size, Math.floor((maxRowsOfSearch - rowsRead) / scans.length));
    const { rows } = await tx.execute<ScanRow>(readScans(search, scans, ofScan));
    found.push(...rows.filter(({ matches }) => matches));
    const ends = scans.map((scan, index) => ({ scan, end: rows.findLast((row) => row.scan === index + 1) }));
    for (const { end } of ends) rowsRead += end?.read ?? 0;
    scans = ends.flatMap(({ scan, end }) =>
      end?.read === ofScan ? { ...scan, after: toPosition(end) } : [],
    );
    const [horizon = null] = scans.map((scan) => scan.after).sort(compare);
    const merged = found.filter((row) => horizon === null || compare(row, horizon) <= 0).sort(compare);
    const page = merged.slice(0, limit);
    const kycRecordIds = page.map(({ id }) => id);
    const last = page.at(-1);
    if (last && merged.length > limit) return { kycRecordIds, next: toPosition(last), narrow: false };
    if (horizon === null || scans.length > maxRowsOfSearch - rowsRead)
      return { kycRecordIds, next: horizon, narrow: horizon !== null && page.length < limit };
  }
}

const toPosition = ({ at, id }: SearchPosition): SearchPosition => ({ at, id });

/** Compares rows as the indexes do: ids byte by byte. */
function comparison(order: Search["order"]) {
  const sign = order === "newest" ? -1 : 1;
  return (one: SearchPosition, other: SearchPosition) =>
    sign * (one.at - other.at || (one.id < other.id ? -1 : Number(one.id > other.id)));
}
