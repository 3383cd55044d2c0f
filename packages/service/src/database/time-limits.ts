import type { ClientBase, Pool } from "pg";
import { withConnection } from "./connect.ts";

/** How long a statement may run, and how long a transaction may wait for its next statement, on the server. */
const limits: Record<string, string> = {
  statement_timeout: "10s",
  idle_in_transaction_session_timeout: "10s",
};

const question = `
  select name from unnest($1::text[]) as name
  where not exists (
    select from pg_db_role_setting as setting
    left join pg_roles as role on role.oid = setting.setrole
    join pg_database as database on setting.setdatabase in (0, database.oid) and database.datname = current_database()
    where (setting.setrole = 0 or role.rolname = current_user)
      and exists (select from unnest(setconfig) as entry where starts_with(entry, name || '='))
  )
  order by name`;

/**
 * The names of the limits that the connected role has no value for, in the catalog: a pooler's session can be older
 * than a value. A value that the operator has set for the role or the database stays.
 */
export async function findMissingLimits(client: ClientBase | Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(question, [Object.keys(limits)]);
  return rows.map(({ name }) => name);
}

/**
 * Sets the missing limits of the service's login role, as that role. They are settings of the role, not of a
 * connection, because PgBouncer refuses a connection with these parameters.
 * @throws the errors of the driver.
 */
export async function setTimeLimits(serviceUrl: string): Promise<void> {
  await withConnection(serviceUrl, async (client) => {
    const missing = await findMissingLimits(client);
    const statements = missing.map((name) => `alter role current_user set ${name} = '${limits[name]}'`);
    await client.query(statements.join("; ")).catch(async (error: unknown) => {
      // Another process set them at the same time.
      if ((await findMissingLimits(client)).length > 0) throw error;
    });
  });
}
