import { maxRowsOfSearch } from "@cardbridge/domain";

/** A row that matches, or the last row that a statement read from its scan. */
export interface Scanned {
  /** The position of the scan in the statement, starting at 1. */
  scan: number;
  matches: boolean;
  /** The rows that the statement read from the scan. */
  read: number;
}

interface Merge<Scan, Row> {
  /** Reads the next rows of scans, up to `limit` of each, in their order. */
  read(scans: Scan[], limit: number): Promise<Row[]>;
  /** The rest of a scan after a row. */
  continueAfter(scan: Scan, row: Row): Scan;
  /** The order of all scans. */
  compare(one: Row, other: Row): number;
  limit: number;
}

interface Merged<Row> {
  rows: Row[];
  /** The row after which the next page starts; null after the last page. */
  next: Row | null;
  /** Whether the limit of read rows ended the page. */
  narrow: boolean;
  /** The last row that any scan read, in their order; null if none was read. */
  last: Row | null;
}

/** Each statement reads more rows of a scan than the previous one, because few rows match. */
const growth = 4;

/**
 * Reads scans that have the same order, and merges them up to the first row that one of them has not read. It reads at most
 * 50,000 rows.
 */
export async function mergeScans<Scan, Row extends Scanned>(
  started: readonly Scan[],
  { read, continueAfter, compare, limit }: Merge<Scan, Row>,
): Promise<Merged<Row>> {
  let scans = [...started];
  const found: Row[] = [];
  let lastRow: Row | null = null;
  let rowsRead = 0;
  for (let size = limit + 1; ; size *= growth) {
    const ofScan = Math.min(size, Math.floor((maxRowsOfSearch - rowsRead) / scans.length));
    const rows = await read(scans, ofScan);
    found.push(...rows.filter(({ matches }) => matches));
    const ends = scans.flatMap((scan, index) => {
      const end = rows.findLast((row) => row.scan === index + 1);
      return end ? [{ scan, end }] : [];
    });
    for (const { end } of ends) {
      rowsRead += end.read;
      if (lastRow === null || compare(end, lastRow) > 0) lastRow = end;
    }
    const open = ends.filter(({ end }) => end.read === ofScan);
    scans = open.map(({ scan, end }) => continueAfter(scan, end));
    const [horizon = null] = open.map(({ end }) => end).sort(compare);
    const merged = found.filter((row) => horizon === null || compare(row, horizon) <= 0).sort(compare);
    const page = merged.slice(0, limit);
    const last = page.at(-1);
    if (last && merged.length > limit) return { rows: page, next: last, narrow: false, last: lastRow };
    if (horizon === null || scans.length > maxRowsOfSearch - rowsRead) {
      const narrow = horizon !== null && page.length < limit;
      return { rows: page, next: horizon, narrow, last: lastRow };
    }
  }
}
