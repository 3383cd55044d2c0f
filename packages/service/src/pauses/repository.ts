import { Failure, internalPlatformId, type NewPause, type Pauses, type Persons } from "@cardbridge/domain";
import { and, desc, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { appendEntry } from "../audit/statements.ts";
import type { Database } from "../database/database.ts";
import { isUniqueViolation } from "../database/failures.ts";
import { requireRow } from "../database/require-row.ts";
import { pauseColumns } from "../database/schema/pauses.ts";
import { pauses, platforms } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { pipelineCommit } from "../database/transaction.ts";
import { isActive, nameRows, type PauseRow, selectPauses } from "./rows.ts";

/** The insertable columns of pauses. Drizzle's insert lists every column of its table, granted or not. */
const newPauses = pgTable("pauses", pauseColumns());

const isOpen = isNull(pauses.endedAt);

/** The operators' brakes; see the port for the contract. */
export function pausesRepository(database: Database, names: Persons["names"]): Pauses {
  async function named(row: PauseRow) {
    const [pause] = await nameRows([row], names);
    return requireRow([pause], "pause");
  }

  async function platformOf(pauseId: string): Promise<string | null | undefined> {
    const { rows } = await database.withoutPlatform((tx) =>
      tx.execute<{ platform: string | null }>(sql`select platform_of_pause(${pauseId}) as platform`),
    );
    const platformId = rows[0]?.platform ?? undefined;
    return platformId === internalPlatformId ? null : platformId;
  }

  return {
    platformOf,

    async start(pause) {
      const platformId = pause.platformId ?? internalPlatformId;
      const started = database.asPlatform<PauseRow>(platformId, async (tx) => {
        const [known] = await tx
          .select({ id: platforms.id })
          .from(platforms)
          .where(eq(platforms.id, platformId));
        if (!known) throw new Failure("PLATFORM_NOT_FOUND");
        await Promise.all([
          endExpired(tx, platformId),
          tx.insert(newPauses).values(rowOf(pause, platformId)),
        ]);
        const audited = appendEntry(tx, platformId, { ...pause.by, subject: pause.pauseId, outcome: "done" });
        const own = and(eq(pauses.platformId, platformId), eq(pauses.id, pause.pauseId));
        return pipelineCommit([audited, selectPauses(tx).where(own)], ([, rows]) =>
          requireRow(rows, "pause"),
        );
      });
      return named(await started.catch(refuseSecond));
    },

    async resume(pauseId, by) {
      const found = await platformOf(pauseId);
      if (found === undefined) return null;
      const platformId = found ?? internalPlatformId;
      const own = and(eq(pauses.platformId, platformId), eq(pauses.id, pauseId));
      const resumed = await database.asPlatform<PauseRow>(platformId, async (tx) => {
        const ended = await tx
          .update(pauses)
          .set({ endedAt: sql`now()`, resumedBy: by.actor })
          .where(and(own, isOpen, gt(pauses.until, sql`now()`)))
          .returning({ id: pauses.id });
        if (ended.length === 0) throw conflict("pauseId", "The pause has ended.");
        const audited = appendEntry(tx, platformId, { ...by, subject: pauseId, outcome: "done" });
        return pipelineCommit([audited, selectPauses(tx).where(own)], ([, rows]) =>
          requireRow(rows, "pause"),
        );
      });
      return named(resumed);
    },

    async list(allowed, { active, limit }) {
      // Pauses of the provider concern everyone, and are stored under the platform of the internal apps.
      const visible = allowed === "all" ? allowed : [...allowed, internalPlatformId];
      const rows = await database.asOperators<PauseRow[]>(visible, async (tx) => {
        const found = selectPauses(tx)
          .where(active ? isActive : undefined)
          .orderBy(desc(pauses.pausedAt), desc(pauses.id))
          .limit(limit);
        return pipelineCommit([found], ([rows]) => rows);
      });
      return nameRows(rows, names);
    },
  };
}

/** An open pause past its `until` has ended, and must not prevent the next one. */
function endExpired(tx: Tx, platformId: string) {
  return tx
    .update(pauses)
    .set({ endedAt: pauses.until })
    .where(and(eq(pauses.platformId, platformId), isOpen, lte(pauses.until, sql`now()`)));
}

function rowOf({ pauseId, reason, until, personId, by }: NewPause, platformId: string) {
  return { id: pauseId, platformId, reason, until, pausedBy: by.actor, personId };
}

function refuseSecond(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw conflict("until", "A pause of this target is active: resume it first.");
}

function conflict(field: string, message: string): Failure {
  return new Failure("PAUSE_CONFLICT", { violations: [{ path: [field], rule: "pause-state", message }] });
}
