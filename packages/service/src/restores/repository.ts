import type { ListedBlobs, Restores } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { KeySet } from "../encryption/keys.ts";
import { keyProblems } from "../encryption/verified-keys.ts";
import { erasureLog } from "../users/erasure-log.ts";
import { findAccessProblems } from "./access.ts";
import { addExecution } from "./add-execution.ts";
import { compareFiles } from "./files.ts";
import { finishRestore, isExplained, isUnchecked } from "./restored.ts";

const run = "Run cardbridge restore check.";
const batchSize = 1_000;

/** Makes a restored database fit to serve again; see the port for the contract. */
export function restoresRepository(database: Database, keys: KeySet, blobs: ListedBlobs): Restores {
  const log = erasureLog(database, { blobs, key: keys.erasures });

  async function platforms() {
    const { rows } = await database.withoutPlatform((tx) =>
      tx.execute<{ platform_id: string; newest_at: Date | null; continues: boolean }>(
        sql`select platform_id, newest_at, continues from list_audited_platforms()`,
      ),
    );
    return rows.map(({ platform_id: platformId, newest_at, continues }) => ({
      platformId,
      newestAt: newest_at && new Date(newest_at),
      continues,
    }));
  }

  return {
    async reasonsNotToStart() {
      const reasons = [];
      if (await isUnchecked(database)) reasons.push(`The database was restored and is not checked. ${run}`);
      if ((await platforms()).some(({ continues }) => !continues)) {
        reasons.push(
          `The database was restored into another server, whose transaction numbers are lower than those of the audit. Run the migration. ${run}`,
        );
      }
      // The file store may be unusable, which hides no other reason.
      if (reasons.length === 0 && (await log.isAhead()))
        reasons.push(
          `The database was restored to a time before an erasure that the file store knows. ${run}`,
        );
      return reasons;
    },

    accessProblems: () => findAccessProblems(database),
    keyProblems: () => keyProblems(database, keys),
    platforms,

    async recoverErasures() {
      const { entries, problems } = await log.read();
      if (problems.length === 0) await log.adopt(entries);
      return {
        problems,
        erasures: entries.map(({ platformId, userId, at }) => ({ platformId, externalUserId: userId, at })),
      };
    },

    compareFiles: () => compareFiles(database, blobs),

    async askWaiting() {
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
    },

    addExecution: (execution, by) => addExecution(database, execution, by),
    finish: ({ listed }) => finishRestore(database, listed),
    explains: (id) => isExplained(database, id),
  };
}
