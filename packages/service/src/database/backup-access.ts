import type { ClientBase } from "pg";

/** The role of backups: it reads every row of this database, and writes their results. It has no other rights. */
export const backupRole = "cardbridge_backup";

/** Roles belong to the whole server: another database may create this role at the same time. */
const createRole = `
  do $$ begin
    if not exists (select from pg_roles where rolname = '${backupRole}') then
      create role ${backupRole} nologin nosuperuser nocreatedb nocreaterole nobypassrls;
    end if;
  exception when duplicate_object or unique_violation then null;
  end $$;
  grant usage on schema public, drizzle to ${backupRole}`;

/** A database of an earlier version, in a test, lacks the table. */
const grantResults = `
  do $$ begin
    if to_regclass('public.backups') is not null then
      grant insert (step, kind, ok) on backups to ${backupRole};
    end if;
  end $$`;

/** The next table or sequence that the role cannot read completely. */
const question = `
  select oid::regclass::text as name, relrowsecurity as "hasPolicies"
  from pg_class
  where relnamespace = any ('{public,drizzle}'::regnamespace[]) and relkind in ('r', 'p', 'S')
    and pg_has_role(current_user, relowner, 'usage')
    and not (
      has_table_privilege('${backupRole}', oid, 'select')
      and (not relrowsecurity or exists (select from pg_policy where polrelid = pg_class.oid and polname = 'backup'))
    )
  order by oid limit 1`;

/**
 * Grants the backup role access to one more table, with the policy that shows all of its rows: pg_dump fails at a table
 * without access, and never omits rows. One table a transaction, because calls wait for its lock.
 * @returns false if the role has access to all tables.
 */
export async function grantBackup(owner: ClientBase): Promise<boolean> {
  await owner.query(createRole);
  await owner.query(grantResults);
  const { rows } = await owner.query<{ name: string; hasPolicies: boolean }>(question);
  for (const { name, hasPolicies } of rows) {
    if (hasPolicies) {
      await owner.query(`drop policy if exists backup on ${name}`);
      await owner.query(`create policy backup on ${name} for select to ${backupRole} using (true)`);
    }
    await owner.query(`grant select on ${name} to ${backupRole}`);
  }
  return rows.length > 0;
}
