import {
  applyVerdict,
  type Claim,
  type ClaimRequest,
  Failure,
  isFinal,
  type KycRecord,
  type KycRecords,
  newState,
  normalizeEmail,
} from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import { fingerprint } from "./fingerprint.ts";
import { kycStatements } from "./kyc-statements.ts";
import { withCommit } from "./transaction.ts";

export interface KycRecordsOptions {
  /** How long an attempt owns its record, in seconds; longer than a call to the provider may take. 30. */
  leaseSeconds?: number | undefined;
  /** After how long a record that could not be settled is held for people, in seconds. A day. */
  holdAfterSeconds?: number | undefined;
}

/** The KYC records of platforms, each with its history; see the port for the contract. */
export function kycRecordsRepository(
  database: Database,
  { leaseSeconds = 30, holdAfterSeconds = 86_400 }: KycRecordsOptions = {},
): KycRecords {
  const lease = `${leaseSeconds} seconds`;
  const holdAfter = `${holdAfterSeconds} seconds`;
  return {
    claim: (platformId, request) =>
      database.asPlatform<Claim>(platformId, async (tx) => {
        const statements = kycStatements(tx);
        const { submission, kycRecordId } = request;
        const names = {
          platformId,
          memberId: submission.memberId,
          email: submission.email,
          emailNormalized: normalizeEmail(submission.email),
        };
        const print = fingerprint(submission);

        // One round trip. Another claim of this user holds up the first or the second statement, and
        // each statement sees what was committed before it began: the third sees that claim's record.
        const [, found, [latest]] = await Promise.all([
          statements.insertUser.execute({ ...names, externalUserId: request.externalUserId }),
          statements.lockUsers.execute(names),
          statements.latestRecord.execute(names),
        ]);
        const externalUserId = theOneUser(found, names);

        if (latest && decide(request, latest.record, latest.fingerprint.equals(print)) === "replay") {
          return { kind: "replay", record: latest.record };
        }
        const inserted = { ...newState, platformId, kycRecordId };
        return withCommit(
          [
            statements.insertRecord.execute({
              ...inserted,
              externalUserId,
              request: submission,
              fingerprint: print,
              lease,
            }),
            statements.insertHistory.execute({ ...inserted, source: "submission" }),
          ],
          ([rows]) => {
            const record = theOneRow(rows);
            return { kind: "new", record, attempt: { record, submission, step: "send", notFound: 0 } };
          },
        );
      }),

    storeVerdict: (platformId, { kycRecordId, attempt }, verdict) =>
      database.asPlatform(platformId, async (tx) => {
        const statements = kycStatements(tx);
        const before = theOneRow(await statements.lockRecord.execute({ platformId, kycRecordId }));
        if (before.attempt !== attempt) return { before, record: before };

        const record = applyVerdict(before, verdict);
        const { settlement, status, subStatus, cardAccountId, revision } = record;
        const learned = { platformId, kycRecordId, settlement, status, subStatus, cardAccountId, revision };
        return withCommit(
          [
            statements.learnVerdict.execute({ ...learned, final: isFinal(record) }),
            ...(record === before
              ? []
              : [statements.insertHistory.execute({ ...learned, source: "provider" })]),
          ],
          () => ({ before, record }),
        );
      }),

    postpone: (platformId, { kycRecordId, attempt }, { step, notFound, delayMs }) =>
      database.asPlatform(platformId, async (tx) => {
        const plan = { step, notFound, delay: `${delayMs} milliseconds`, holdAfter };
        const mine = { platformId, kycRecordId, attempt };
        return withCommit([kycStatements(tx).postponeAttempt.execute({ ...mine, ...plan })], () => undefined);
      }),

    takeDue: (limit) =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<{ platform_id: string; record_id: string; attempt: number }>(
          sql`select platform_id, record_id, attempt from take_due(${limit}, ${lease}::interval)`,
        );
        return rows.map((row) => ({
          platformId: row.platform_id,
          kycRecordId: row.record_id,
          attempt: row.attempt,
        }));
      }),

    open: (platformId, { kycRecordId, attempt }) =>
      database.asPlatform(platformId, async (tx) => {
        const found = kycStatements(tx).openAttempt.execute({ platformId, kycRecordId, attempt });
        return withCommit([found], ([rows]) => rows[0] ?? null);
      }),
  };
}

type Names = { memberId: string; emailNormalized: string };

/** Both names have to be one user's (gap G17). */
function theOneUser(found: ({ id: string } & Names)[], names: Names): string {
  const [user] = found;
  const same = user?.memberId === names.memberId && user.emailNormalized === names.emailNormalized;
  if (found.length !== 1 || !user || !same) throw new Failure("USER_IDENTITY_CONFLICT");
  return user.id;
}

function decide(request: ClaimRequest, latest: KycRecord, equal: boolean): "submit" | "replay" {
  const decision = request.decide(latest, equal);
  if (decision !== "conflict") return decision;
  throw new Failure("KYC_ALREADY_SUBMITTED", { kycRecordId: latest.kycRecordId });
}

function theOneRow<T>(rows: T[]): T {
  const [row] = rows;
  if (!row) throw new Error("The platform has no such KYC record.");
  return row;
}
