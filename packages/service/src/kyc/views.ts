import { type KycAdmin, maxRecordViews, personOf } from "@cardbridge/domain";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { auditReads } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { type NamePorts, namedPersons } from "../persons/names.ts";

const { actor, day, lastAt, operation, platformId, subject } = auditReads;
/** Volatile functions are no conditions of an index: now() instead of clock_timestamp(). */
const today = sql`(now() at time zone 'UTC')::date`;

/** Who opened records lately; see the port for the contract. */
export function views(database: Database, names: NamePorts): Pick<KycAdmin, "views"> {
  return {
    async views(ofPlatform, kycRecordId) {
      const reads = await database.asPlatform<{ actor: string; at: string }[]>(ofPlatform, async (tx) =>
        pipelineCommit([recordReads(tx, ofPlatform, kycRecordId)], ([rows]) => rows),
      );
      const named = await namedPersons(
        names,
        reads.map((read) => personOf(read.actor)),
      );
      return reads.map((read) => ({ by: named(personOf(read.actor)), ...read }));
    },
  };
}

/** The audited reads of a record of today and yesterday. Upkeep may have deleted older ones. */
export function recordReads(tx: Tx, ofPlatform: string, kycRecordId: string) {
  return tx
    .select({ actor, at: shownMoment(sql`${lastAt}`) })
    .from(auditReads)
    .where(
      and(
        sql`${day} in (${today}, ${today} - 1)`,
        eq(platformId, ofPlatform),
        eq(subject, kycRecordId),
        eq(operation, "records.get"),
      ),
    )
    .orderBy(desc(lastAt), actor)
    .limit(maxRecordViews);
}
