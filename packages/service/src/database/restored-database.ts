import type { ClientBase } from "pg";

/** What an operator has to do with a database that a dump was restored into before its roles existed. */
export const restoredWithoutRoles =
  "The tables lack owners, rights or policies: a dump was restored before its roles existed. " +
  "Drop the database, create the roles, and restore the dump again (docs/operate/backup.md).";

// pg_restore loses what names a missing role: the owner of a table, the policies of the owner, the grants of the service. An
// index of a later migration than the policies of operators says whether the table had them.
const question = `
  select from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
  where (n.nspname, c.relname) in (('drizzle', '__drizzle_migrations'), ('public', 'platforms'))
    and (
      not pg_has_role(current_user, c.relowner, 'usage')
      or c.relforcerowsecurity and not (
        exists (select from pg_policy where polrelid = c.oid and polname like 'owner\\_%' and c.relowner = any (polroles))
        and exists (select from pg_roles where rolname = $1 and has_table_privilege(oid, c.oid, 'select'))
        and (
          to_regclass('public.kyc_records_created') is null
          or exists (select from pg_policy where polrelid = c.oid and polname = 'operators_read')
        )
      )
    )`;

/** True if a dump was restored into this database before its roles existed. The owner may call it. */
export async function isRestoredWithoutRoles(owner: ClientBase, serviceRole: string): Promise<boolean> {
  const { rowCount } = await owner.query(question, [serviceRole]);
  return rowCount !== 0;
}
