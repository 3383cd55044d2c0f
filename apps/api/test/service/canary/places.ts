import type { Query } from "./services.ts";

interface Column {
  schema: string;
  table: string;
  column: string;
  type: string;
}

/** The content of every column of a database, with bytes as characters and as hex. */
export async function readColumns({ query }: { query: Query }): Promise<Map<string, string>> {
  const columns = await query<Column>(`
    select table_schema as schema, table_name as table, column_name as column, data_type as type
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
  const found = new Map<string, string>();
  for (const { schema, table, column, type } of columns) {
    const text = type === "bytea" ? `encode("${column}", 'escape') || ' ' || encode("${column}", 'hex')` : "";
    const [row] = await query<{ all: string | null }>(
      `select string_agg(${text || `"${column}"::text`}, E'\\n') as all from "${schema}"."${table}"`,
    );
    found.set(`${table}.${column}`, row?.all ?? "");
  }
  return found;
}
