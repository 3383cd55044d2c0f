import { Client } from "pg";

/** The number of rows of each table of a database, read as a superuser. */
export async function rowCounts(url: string): Promise<Record<string, number>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; count: number }>(
      `select oid::regclass::text as name,
         (xpath('/row/count/text()', query_to_xml(format('select count(*) from %s', oid::regclass), false, true, '')))[1]::text::int
           as count
       from pg_class
       where relkind in ('r', 'p') and relnamespace in (
         select oid from pg_namespace where nspname in ('public', 'drizzle')
       ) order by 1`,
    );
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  } finally {
    await client.end();
  }
}
