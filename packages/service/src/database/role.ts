import { getTableName } from "drizzle-orm";
import type { Pool } from "pg";
import { backupRole } from "./backup-access.ts";
import { serviceRole } from "./migrate.ts";
import { tables } from "./tables.ts";
import { findMissingLimits } from "./time-limits.ts";

const question = `
  select current_user as name,
    exists (select from pg_roles where rolsuper and pg_has_role(current_user, oid, 'member')) as superuser,
    exists (select from pg_roles where rolbypassrls and pg_has_role(current_user, oid, 'member')) as bypass,
    exists (select from pg_roles where rolname = $1 and pg_has_role(current_user, oid, 'member')) as member,
    exists (select from pg_roles where rolname = $3 and pg_has_role(current_user, oid, 'member')) as backup,
    array(
      select relname::text from pg_class
      where relnamespace = 'public'::regnamespace and relname = any($2)
        and pg_has_role(current_user, relowner, 'member')
      order by relname
    ) as owned`;

interface Answer {
  name: string;
  superuser: boolean;
  bypass: boolean;
  member: boolean;
  backup: boolean;
  owned: string[];
}

/** The reasons why the service must not use the connected role, or a role that it is a member of. */
export async function findRoleProblems(pool: Pool): Promise<string[]> {
  const names = Object.values(tables).map((table) => getTableName(table));
  const { rows } = await pool.query<Answer>(question, [serviceRole, names, backupRole]);
  const missing = await findMissingLimits(pool);
  return rows.flatMap(({ name, superuser, bypass, member, backup, owned }) => {
    if (superuser)
      return [`The database role ${name} is a superuser, so row-level security does not apply to it.`];
    return [
      ...(bypass ? [`The database role ${name} may bypass row-level security.`] : []),
      ...(backup
        ? [`The database role ${name} is a member of ${backupRole}, which reads the rows of every platform.`]
        : []),
      ...(owned.length > 0 ? [`The database role ${name} owns tables: ${owned.join(", ")}.`] : []),
      ...(member ? [] : [`The database role ${name} is not a member of ${serviceRole}.`]),
      ...missing.map((limit) => `The database role ${name} has no ${limit}. Run the migration command.`),
    ];
  });
}
