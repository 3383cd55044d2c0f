import { getTableName, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { tables } from "../database/tables.ts";

/** Functions that only other functions call. */
const internal = ["write_webhook_event"];

/**
 * The rights of the service that the database lacks, as sentences. A dump that was restored before the service's role
 * existed has lost its grants.
 */
export function findAccessProblems(database: Database): Promise<string[]> {
  const names = Object.values(tables).map((table) => getTableName(table));
  return database.withoutPlatform(async (tx) => {
    const { rows } = await tx.execute<{ name: string; problem: string }>(sql`
      select name, case when c.oid is null then 'is missing'
        when not (c.relrowsecurity and c.relforcerowsecurity) then 'has no forced row-level security'
        else 'cannot be read by the service' end as problem
      from unnest(${sql.param(names)}::text[]) as name
      left join pg_class as c on c.relname = name and c.relnamespace = 'public'::regnamespace
      where c.oid is null or not (c.relrowsecurity and c.relforcerowsecurity)
        -- Only functions read a table whose policies are for its owner alone.
        or (exists (select from pg_policy where polrelid = c.oid and polroles = '{0}')
          and not has_any_column_privilege(c.oid, 'select'))
      union all
      select p.proname, 'cannot be called by the service'
      from pg_proc as p
      where p.pronamespace = 'public'::regnamespace and p.prosecdef and p.prorettype <> 'trigger'::regtype
        and not (p.proname = any(${sql.param(internal)}::text[])) and not has_function_privilege(p.oid, 'execute')
      order by 1`);
    return rows.map(({ name, problem }) => `${name} ${problem}.`);
  });
}
