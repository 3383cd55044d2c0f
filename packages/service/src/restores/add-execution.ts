import {
  type AuditOrigin,
  applyVerdict,
  isFinal,
  type ListedExecution,
  newState,
  type ProviderExecution,
} from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { kycHistory, kycRecords, restoredExecutions } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { findPlatform } from "../kyc/find-platform.ts";
import { appendEntry } from "../operation/audit.ts";

/**
 * Adds an execution that the database forgot. The record has no submission, so it is never sent. Its user's next
 * submission is compared by the fingerprint that the provider kept.
 */
export async function addExecution(
  database: Database,
  execution: ProviderExecution,
  by: AuditOrigin,
): Promise<ListedExecution> {
  const { reference, userReference } = execution;
  if ((await findPlatform(database, reference)) !== undefined) return "known";
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
