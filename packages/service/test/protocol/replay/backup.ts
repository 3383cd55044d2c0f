import type { Client } from "pg";

/** The rows of one platform, kept aside and put back as a restore does: as a superuser, without triggers. */
export function platformBackup(owner: Client, platformId: string) {
  const tables = owner.query<{ name: string }>(
    `select c.relname as name from pg_class as c join pg_attribute as a on a.attrelid = c.oid
     where a.attname = 'platform_id' and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition`,
  );
  const each = async (statements: (table: string) => string) => {
    const { rows } = await tables;
    await owner.query(rows.map(({ name }) => statements(name)).join(";"));
  };
  const condition = `platform_id = '${platformId}'`;
  return {
    make: () =>
      each(
        (table) =>
          `drop table if exists kept_${table}; create temp table kept_${table} as select * from ${table} where ${condition}`,
      ),
    async restore() {
      await owner.query("set session_replication_role = replica");
      await each((table) => `delete from ${table} where ${condition}`);
      await each((table) => `insert into ${table} overriding system value select * from kept_${table}`);
      await owner.query("set session_replication_role = origin");
    },
  };
}
