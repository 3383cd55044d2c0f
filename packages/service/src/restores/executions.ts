import {
  type AuditOrigin,
  applyVerdict,
  internalPlatformId,
  isFinal,
  newState,
  type ProviderExecution,
  type RestoreFinding,
  reasonOf,
} from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { kycHistory, kycRecords, restoredExecutions } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { appendEntry } from "../operation/audit.ts";
import type { Ports } from "../operation/ports.ts";

/**
 * What became of an execution that the provider lists. `known`: the database has its record. `adopted`: the record was
 * added to its user. `unknown`: the database knows neither the record nor the user. `erased`: its user is erased.
 */
type ListedExecution = "known" | "adopted" | "unknown" | "erased";

/**
 * Lists what the provider executed since a time, and adds what the database forgot.
 *
 * @param from null for a database without an audit entry, which forgot nothing
 */
export async function findExecutions(
  { database, provider, providerSlots }: Pick<Ports, "database" | "provider" | "providerSlots">,
  from: Date | null,
  by: AuditOrigin,
): Promise<{ finding: RestoreFinding; listed: boolean }> {
  const check = "Executions";
  const counts: Record<ListedExecution, number> = { known: 0, adopted: 0, unknown: 0, erased: 0 };
  const details: string[] = [];
  try {
    for (let cursor: string | undefined, more = from !== null; more; more = cursor !== undefined) {
      const list = async () => provider.listExecutions?.({ from: from ?? new Date(), cursor });
      const page = await providerSlots.run(internalPlatformId, list);
      if (!page) {
        const found =
          "The provider cannot list executions by time: a resend of a submission that the database forgot may execute twice.";
        return { finding: { check, result: "note", found, details: [] }, listed: false };
      }
      for (const execution of page.executions) {
        const result = await addExecution(database, execution, by);
        counts[result] += 1;
        if (result !== "known")
          details.push(`${execution.reference} of ${execution.userReference} is ${result}.`);
      }
      cursor = page.nextCursor ?? undefined;
    }
  } catch (error) {
    const found = `The provider's executions could not be listed (${reasonOf(error)}). Run the check again.`;
    return { finding: { check, result: "problem", found, details }, listed: false };
  }
  const { known, adopted, unknown, erased } = counts;
  const found =
    `The provider executed ${known + adopted + unknown + erased} submissions since then, and the database knows ${known}. ` +
    `${adopted} records were added to their users. ${unknown} are of users that the database forgot: a resend finds ` +
    `them. ${erased} are of erased users.`;
  return { finding: { check, result: unknown > 0 ? "note" : "ok", found, details }, listed: true };
}

/**
 * Adds an execution that the database forgot. The record has no submission, so it is never sent. Its user's next
 * submission is compared by the fingerprint that the provider kept.
 */
async function addExecution(
  database: Database,
  execution: ProviderExecution,
  by: AuditOrigin,
): Promise<ListedExecution> {
  const { reference, userReference } = execution;
  if (await isKnown(database, reference)) return "known";
  const user = await findUser(database, userReference);
  if (user.erased) return "erased";
  if (user.platformId === null) {
    await database.withoutPlatform((tx) => remember(tx, execution));
    return "unknown";
  }
  const { platformId } = user;
  return database.asPlatform<ListedExecution>(platformId, async (tx) => {
    const state = applyVerdict(newState, execution.verdict);
    const present = sql`clock_timestamp()`;
    const record = {
      id: reference,
      platformId,
      userId: userReference,
      ...state,
      attempt: 1,
      step: "ask" as const,
      dueAt: isFinal(state) ? null : present,
      createdAt: execution.executedAt,
      answeredAt: present,
    };
    const statements = [
      remember(tx, execution),
      tx.insert(kycRecords).values(record),
      tx.insert(kycHistory).values({ platformId, recordId: reference, source: "restored", ...state }),
      appendEntry(tx, platformId, { ...by, subject: reference, outcome: "done" }),
    ];
    return pipelineCommit(statements, () => "adopted");
  });
}

async function isKnown(database: Database, reference: string): Promise<boolean> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ known: boolean }>(sql`select platform_of_record(${reference}) is not null as known`),
  );
  return rows[0]?.known === true;
}

function remember(tx: Pick<Tx, "insert">, { reference, userReference, fingerprint }: ProviderExecution) {
  return tx
    .insert(restoredExecutions)
    .values({ reference, userReference, fingerprint })
    .onConflictDoNothing();
}

/** The platform of a user; null if the database forgot the user. The log of erasures knows forgotten users too. */
async function findUser(database: Database, userReference: string) {
  return database.withoutPlatform(async (tx) => {
    const { rows } = await tx.execute<{ platform_id: string; erased: boolean }>(
      sql`select platform_id, erased from find_restored_user(${userReference})`,
    );
    const [user] = rows;
    if (user) return { platformId: user.platform_id, erased: user.erased };
    const logged = await tx.execute<{ erased: boolean }>(
      sql`select is_in_erasure_log(${userReference}) as erased`,
    );
    return { platformId: null, erased: logged.rows[0]?.erased === true };
  });
}
