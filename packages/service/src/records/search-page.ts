import type { RecordSearch, RecordSearchQuery } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { requireRow } from "../database/require-row.ts";
import type { Tx } from "../database/statements.ts";
import type { NamePorts } from "../persons/names.ts";
import { toMicroseconds } from "../search/order.ts";
import { readChanges } from "./changes.ts";
import { countRecords } from "./count-rows.ts";
import { findPage } from "./find-page.ts";
import { formatCursor, parseCursor } from "./search-cursor.ts";
import { nameAssignees, readRows } from "./search-rows.ts";

/** Reads records over several platforms; see the port for the contract. */
export function recordSearch(database: Database, names: NamePorts): RecordSearch {
  return {
    async search(platforms, { platformIds: _named, cursor, limit, order, ...filter }) {
      const query: RecordSearchQuery = { ...filter, order, limit };
      const start = cursor === undefined ? undefined : parseCursor(platforms, query, cursor);
      const { page, rows, asOf } = await database.asOperators(platforms, async (tx) => {
        const asOf = start?.asOf ?? (await readClock(tx));
        const page = await findPage(tx, { platforms, filter, order, asOf }, { after: start?.after, limit });
        return { page, rows: await readRows(tx, page.kycRecordIds), asOf };
      });
      return {
        records: await nameAssignees(rows, names),
        nextCursor: page.next && formatCursor(platforms, query, { after: page.next, asOf }),
        narrow: page.narrow,
        asOf: new Date(asOf / 1_000).toISOString(),
      };
    },

    counts: (platforms, assignee) =>
      database.asOperators(platforms, (tx) => countRecords(tx, platforms, assignee)),

    changes: (platforms, lastEventId) => readChanges(database, platforms, lastEventId),
  };
}

/** The database's time, in microseconds since 1970. */
async function readClock(tx: Tx): Promise<number> {
  const now = toMicroseconds(sql`clock_timestamp()`);
  const { rows } = await tx.execute<{ now: string }>(sql`select ${now} as now`);
  return Number(requireRow(rows, "time").now);
}
