import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Client } from "pg";

/** All state that a request can change: the rows of all tables, and the provider's calls. */
export interface Stores {
  /** A fingerprint of the state without the audit and the keys' last use. It changes with every write. */
  look(): Promise<string>;
  /** The number of audit entries. */
  countAuditEntries(): Promise<number>;
  /** The ids of all KYC records. */
  recordIds(): Promise<Set<string>>;
  /** The number of submissions to the provider. */
  sent(): number;
  close(): Promise<void>;
}

export async function openStores(adminUrl: string): Promise<Stores> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')
      and tablename <> 'api_keys' and tablename not like 'audit_%'`,
  );
  // A changed row has a later transaction id, and a new row changes the count.
  const looks = rows.map(
    ({ name }) => `(select count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) from ${name})`,
  );
  looks.push(
    "(select md5(string_agg((to_jsonb(k) - 'last_used_at')::text, '' order by id)) from api_keys k)",
  );
  const query = { name: "look", text: `select concat_ws(', ', ${looks.join(", ")}) as all`, values: [] };
  let sent = 0;
  const count = (message: unknown) => {
    if ((message as { request: { method: string } }).request.method === "PUT") sent += 1;
  };
  subscribe("undici:request:create", count);
  return {
    async look() {
      const result = await client.query<{ all: string }>(query);
      return `${result.rows[0]?.all}; ${sent} sent`;
    },
    async countAuditEntries() {
      const result = await client.query<{ count: number }>("select count(*)::int from audit_entries");
      return result.rows[0]?.count ?? 0;
    },
    async recordIds() {
      const result = await client.query<{ id: string }>("select id from kyc_records");
      return new Set(result.rows.map(({ id }) => id));
    },
    sent: () => sent,
    async close() {
      unsubscribe("undici:request:create", count);
      await client.end();
    },
  };
}
