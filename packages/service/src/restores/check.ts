import { type RestoreFinding, restoreCheckInput, restoreReport } from "@cardbridge/domain";
import { getTableName, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { tables } from "../database/tables.ts";
import { keyProblems } from "../encryption/verified-keys.ts";
import { forCommandLine } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";
import { auditedPlatforms, checkAudit } from "./audit.ts";
import { findExecutions } from "./executions.ts";
import { checkFiles } from "./files.ts";
import { repeatErasures } from "./repeat-erasures.ts";
import { finishRestore } from "./restored.ts";

const hourMs = 3_600_000;
const batchSize = 1_000;
/** Functions that only other functions call. */
const internal = ["write_webhook_event"];

/** Checks a restored database, and makes it fit to serve again (gap G40). */
export const checkRestore = defineOperation({
  ...forCommandLine,
  id: "restore.check",
  kind: "write",
  summary: "Check a restored database",
  description:
    "Checks a database after a restore, before the service starts on it: access, keys, audit, files. Repeats the " +
    "erasures since then, makes the records without a final status due, and adds the executions that the database forgot.",
  input: restoreCheckInput,
  rules: [],
  output: restoreReport,
  example: {
    input: { since: "2026-01-31T12:00:00Z" },
    output: {
      since: "2026-01-31T12:00:00Z",
      checkedAt: "2026-01-31T13:00:00Z",
      passed: true,
      mayStart: true,
      findings: [
        {
          check: "Access",
          result: "ok",
          found: "Tables, functions and row-level security are complete.",
          details: [],
        },
      ],
    },
  },
  errors: [],
  audit: ["done"],

  async run(ports, call, { since, accept }) {
    const { database } = ports;
    const platforms = await auditedPlatforms(database);
    const newest = Math.max(...platforms.map(({ newestAt }) => newestAt?.getTime() ?? 0));
    const from = since === undefined ? (newest === 0 ? null : new Date(newest - hourMs)) : new Date(since);
    const findings: RestoreFinding[] = [await checkAccess(ports), await checkKeys(ports)];
    // Without rights and keys, the other parts would fail for these reasons alone.
    const isUsable = findings.every(({ result }) => result !== "problem");
    let listed = false;
    if (isUsable) {
      const audit = await checkAudit(ports, platforms);
      const erasures = await repeatErasures(ports, since === undefined ? null : from);
      const files = await checkFiles(ports);
      const waiting = await askWaiting(database);
      const executions = await findExecutions(ports, from, originOf(call));
      ({ listed } = executions);
      findings.push(audit, erasures, files, foundWaiting(waiting), executions.finding);
    }
    const passed = findings.every(({ result }) => result !== "problem");
    const mayStart = passed || (isUsable && accept === true);
    if (mayStart) await finishRestore(database, listed);
    const checkedAt = new Date().toISOString();
    return { data: { since: from?.toISOString() ?? null, checkedAt, passed, mayStart, findings } };
  },
});

/** Checks that the service has all rights. */
async function checkAccess({ database }: Pick<Ports, "database">): Promise<RestoreFinding> {
  const problems = await findAccessProblems(database);
  const found =
    problems.length === 0
      ? "Tables, functions and row-level security are complete."
      : "The database lacks tables or rights. Restore it again, into a server that has the service's role.";
  return { check: "Access", result: problems.length === 0 ? "ok" : "problem", found, details: problems };
}

/** Checks that the configured encryption keys are the database's. */
async function checkKeys({ database, keySet }: Pick<Ports, "database" | "keySet">): Promise<RestoreFinding> {
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

const foundWaiting = (count: number): RestoreFinding => ({
  check: "Records",
  result: "ok",
  found: `${count} records without a final status are due: a worker asks the provider about each.`,
  details: [],
});

/** Makes every record without a final status due, so that a worker asks the provider first. Returns their number. */
async function askWaiting(database: Database): Promise<number> {
  let total = 0;
  for (let after: string | null = ""; after !== null; ) {
    const { rows } = await database.withoutPlatform((tx) =>
      tx.execute<{ count: number; last_id: string | null }>(
        sql`select count::int, last_id from ask_waiting_records(${after}, ${batchSize})`,
      ),
    );
    total += rows[0]?.count ?? 0;
    after = rows[0]?.last_id ?? null;
  }
  return total;
}
