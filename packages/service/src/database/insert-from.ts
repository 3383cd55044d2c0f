import { getTableColumns, is, type Placeholder, SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** The values of an insert, keyed by the property names of the columns. */
export type Row = Record<string, SQL | Placeholder | string | number>;

/** Inserts one row for each row of `source`. Drizzle's own insert from a select requires every column of the table. */
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
