import {
  attemptWords,
  type NamedPerson,
  personOf,
  recordAttempts,
  recordReference,
  type StoredAttempt,
} from "@cardbridge/domain";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { kycAttempts } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { type NamePorts, readNames } from "../persons/names.ts";
import { exampleAttempt, exampleSummary } from "./example.ts";

const { kycRecordId } = exampleSummary;

const attemptFields = {
  number: kycAttempts.number,
  lastNumber: kycAttempts.lastNumber,
  step: kycAttempts.step,
  startedAt: shownMoment(sql`${kycAttempts.startedAt}`),
  lastStartedAt: shownMoment(sql`${kycAttempts.lastStartedAt}`),
  milliseconds: kycAttempts.milliseconds,
  outcome: kycAttempts.outcome,
  reason: kycAttempts.reason,
  by: kycAttempts.actor,
  count: kycAttempts.count,
};

/** Lists the attempts to resolve a record. */
export const listRecordAttempts = defineOperation({
  ...forOperators("ops.records.read"),
  id: "records.attempts",
  kind: "read",
  summary: "List a record's attempts",
  description:
    "Lists the attempts to resolve a record with their durations and outcomes: the first 5 and the last 45. Consecutive " +
    "equal attempts are one entry with their number.",
  input: recordReference,
  rules: [],
  output: recordAttempts,
  example: { input: { kycRecordId }, output: { kycRecordId, attempts: [exampleAttempt], persons: [] } },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: [],

  async run(ports, { platformId }, { kycRecordId }) {
    const attempts = await readAttempts(ports.database, platformId, kycRecordId);
    const actors = attempts.map(({ by }) => by);
    return { data: { kycRecordId, attempts, persons: await personsAmong(ports, actors) } };
  },
});

/** The stored attempts of a record, oldest first. */
export function readAttempts(
  database: Database,
  platformId: string,
  kycRecordId: string,
): Promise<StoredAttempt[]> {
  return database.asPlatform<StoredAttempt[]>(platformId, async (tx) => {
    const found = tx
      .select(attemptFields)
      .from(kycAttempts)
      .where(and(eq(kycAttempts.platformId, platformId), eq(kycAttempts.recordId, kycRecordId)))
      .orderBy(asc(kycAttempts.number));
    return pipelineCommit([found], ([rows]) =>
      rows.map((attempt) => ({ ...attempt, words: attemptWords(attempt) })),
    );
  });
}

/** The persons among these actors, with their names. */
export async function personsAmong(
  ports: NamePorts,
  actors: readonly (string | null)[],
): Promise<NamedPerson[]> {
  const ids = actors.map((actor) => actor && personOf(actor)).filter((id) => id !== null);
  return readNames(ports, [...new Set(ids)]);
}
