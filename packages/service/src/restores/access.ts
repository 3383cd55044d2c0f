import type { RestoreFinding } from "@cardbridge/domain";
import { getTableName, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { tables } from "../database/tables.ts";
import { keyProblems } from "../encryption/verified-keys.ts";
import type { Ports } from "../operation/ports.ts";

/** Functions that only other functions call. */
const internal = ["write_webhook_event"];

/** Checks that the service has all rights. */
export async function checkAccess({ database }: Pick<Ports, "database">): Promise<RestoreFinding> {
  const problems = await findAccessProblems(database);
  const found =
    problems.length === 0
      ? "Tables, functions and row-level security are complete."
      : "The database lacks tables or rights. Restore it again, into a server that has the service's role.";
  return { check: "Access", result: problems.length === 0 ? "ok" : "problem", found, details: problems };
}

/** Checks that the configured encryption keys are the database's. */
export async function checkKeys({
  database,
  keySet,
}: Pick<Ports, "database" | "keySet">): Promise<RestoreFinding> {
  const problems = await keyProblems(database, keySet);
  const found =
    problems.length === 0
      ? "The encryption keys fit."
      : "The encryption keys are not those of this database.";
  return { check: "Keys", result: problems.length === 0 ? "ok" : "problem", found, details: problems };
}

/**
 * The rights of the service that the database lacks, as sentences. A dump that was restored before the service's role
 * existed has lost its grants.
 */
function findAccessProblems(database: Database): Promise<string[]> {
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
