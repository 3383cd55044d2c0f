import {
  type EvidenceOpening,
  explainRecord,
  maxRecordViews,
  personOf,
  type RecordView,
  recordReference,
  shownRecord,
} from "@cardbridge/domain";
import { and, desc, eq, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { auditReads, evidenceOpenings } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { type NamePorts, namedPersons } from "../persons/names.ts";
import { deliveriesOfRecord, exampleDue } from "../webhooks/select-deliveries.ts";
import { personsAmong, readAttempts } from "./attempts.ts";
import { exampleDetails, exampleNext, exampleOpening, exampleView } from "./example.ts";
import { readRecord } from "./record.ts";

/** Reads a record with what to do next, its history, deliveries and views, without the submission's data. */
export const getRecord = defineOperation({
  ...forOperators("ops.records.read"),
  id: "records.get",
  kind: "read",
  summary: "Read a record",
  description:
    "Reads a record, what to do next, its history, its webhook deliveries and who opened it lately, without the " +
    "submission's data. A caller's reads of a record are audited once an hour.",
  input: recordReference,
  rules: [],
  output: shownRecord,
  example: {
    input: { kycRecordId: exampleDetails.kycRecordId },
    output: {
      ...exampleDetails,
      next: exampleNext,
      persons: [],
      deliveries: [exampleDue],
      views: [exampleView],
      openings: [exampleOpening],
    },
  },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: ["done"],
  oncePerHour: true,

  async run(ports, { platformId }, { kycRecordId }) {
    const record = await readRecord(ports, platformId, kycRecordId);
    const attempts = await readAttempts(ports.database, platformId, kycRecordId);
    const next = explainRecord(record, attempts);
    const actors = [
      ...record.history.flatMap(({ by, proposedBy }) => [by, proposedBy]),
      ...attempts.map(({ by }) => by),
    ];
    const persons = await personsAmong(ports, actors);
    const deliveries = await deliveriesOfRecord(ports, platformId, kycRecordId);
    const { views, openings } = await readLooks(ports, platformId, kycRecordId);
    return { data: { ...record, next, persons, deliveries, views, openings }, subject: kycRecordId };
  },
});

/**
 * Who opened a record today and yesterday, UTC, and who opened its evidence: the newest 20 of each, newest first.
 * Upkeep deletes an opening a day after it expired, unless an open proposal needs it.
 */
async function readLooks(ports: NamePorts, platformId: string, kycRecordId: string) {
  const [reads, opened] = await ports.database.asPlatform(platformId, async (tx) => {
    const looks = [
      recordReads(tx, platformId, kycRecordId),
      openingsOf(tx, platformId, kycRecordId),
    ] as const;
    return pipelineCommit(looks, (results) => results);
  });
  const nameOf = await namedPersons(ports, [
    ...reads.map(({ actor }) => personOf(actor)),
    ...opened.map(({ personId }) => personId),
  ]);
  return {
    views: reads.map((read): RecordView => ({ by: nameOf(personOf(read.actor)), ...read })),
    openings: opened.map(
      ({ personId, ...opening }): EvidenceOpening => ({
        by: nameOf(personId) ?? { personId, name: null },
        ...opening,
      }),
    ),
  };
}

function openingsOf(tx: Tx, platformId: string, kycRecordId: string) {
  const { personId, purpose, openedAt, recordId } = evidenceOpenings;
  return tx
    .select({ personId, purpose, at: shownMoment(sql`${openedAt}`) })
    .from(evidenceOpenings)
    .where(and(eq(evidenceOpenings.platformId, platformId), eq(recordId, kycRecordId)))
    .orderBy(desc(openedAt))
    .limit(maxRecordViews);
}

/** Volatile functions are no conditions of an index: now() instead of clock_timestamp(). */
const today = sql`(now() at time zone 'UTC')::date`;

/** The audited reads of a record of today and yesterday. Upkeep may have deleted older ones. */
export function recordReads(tx: Tx, platformId: string, kycRecordId: string) {
  const { actor, day, lastAt, operation, subject } = auditReads;
  return tx
    .select({ actor, at: shownMoment(sql`${lastAt}`) })
    .from(auditReads)
    .where(
      and(
        sql`${day} in (${today}, ${today} - 1)`,
        eq(auditReads.platformId, platformId),
        eq(subject, kycRecordId),
        eq(operation, "records.get"),
      ),
    )
    .orderBy(desc(lastAt), actor)
    .limit(maxRecordViews);
}
