import { getTableColumns, is, type Placeholder, SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** A row as the values of an insert name it. */
export type Row = Record<string, SQL | Placeholder | string | number>;

/** An insert of one row for each of `source`, which drizzle's own can only make of all columns at once. */
export function insertFrom(table: PgTable, row: Row, source: SQL): SQL {
  const columns = getTableColumns(table);
  const cells = Object.entries(row).flatMap(([field, value]) => {
    const column = columns[field];
    return column ? [{ column, value: is(value, SQL) ? value : sql.param(value, column) }] : [];
  });
  const names = cells.map(({ column }) => sql.identifier(column.name));
  const values = cells.map(({ column, value }) => sql`(${value})::${sql.raw(column.getSQLType())}`);
  const comma = sql`, `;
  return sql`insert into ${table} (${sql.join(names, comma)}) select ${sql.join(values, comma)} from ${source}`;
}
