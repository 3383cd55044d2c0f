import { maxRowsOfSearch } from "@cardbridge/domain";
import type { Tx } from "../statements.ts";
import type { SearchPosition } from "./search-cursor.ts";
import { indexesOnly, type LaneRow, lanesOf, readLanes, type Search } from "./search-statements.ts";

interface FoundPage {
  kycRecordIds: string[];
  /** Where the next page starts; null after the last one. */
  next: SearchPosition | null;
  /** Whether the limit of read rows ended the page. */
  narrow: boolean;
}

/** Each statement reads more rows of a lane than the previous one, because few rows match. */
const growth = 4;

/**
 * Finds the next records of a search. It reads each lane in the order of creation, and merges the lanes up to the first
 * row that one of them has not read.
 */
export async function findPage(
  tx: Tx,
  search: Search,
  { after, limit }: { after?: SearchPosition | undefined; limit: number },
): Promise<FoundPage> {
  const compare = comparison(search.order);
  let lanes = lanesOf(search, after);
  const found: LaneRow[] = [];
  let rowsRead = 0;
  await tx.execute(indexesOnly);
  for (let size = limit + 1; ; size *= growth) {
    const ofLane = Math.min(size, Math.floor((maxRowsOfSearch - rowsRead) / lanes.length));
    const { rows } = await tx.execute<LaneRow>(readLanes(search, lanes, ofLane));
    found.push(...rows.filter(({ matches }) => matches));
    const ends = lanes.map((lane, index) => ({ lane, end: rows.findLast((row) => row.lane === index + 1) }));
    for (const { end } of ends) rowsRead += end?.read ?? 0;
    lanes = ends.flatMap(({ lane, end }) =>
      end?.read === ofLane ? { ...lane, after: toPosition(end) } : [],
    );
    const [horizon = null] = lanes.map((lane) => lane.after).sort(compare);
    const merged = found.filter((row) => horizon === null || compare(row, horizon) <= 0).sort(compare);
    const page = merged.slice(0, limit);
    const kycRecordIds = page.map(({ id }) => id);
    const last = page.at(-1);
    if (last && merged.length > limit) return { kycRecordIds, next: toPosition(last), narrow: false };
    if (horizon === null || lanes.length > maxRowsOfSearch - rowsRead)
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
