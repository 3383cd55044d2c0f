import {
  applyVerdict,
  type Claim,
  type ClaimRequest,
  Failure,
  type KycRecord,
  type KycRecords,
  newState,
  normalizeEmail,
} from "@cardbridge/domain";
import type { Database } from "./database.ts";
import { fingerprint } from "./fingerprint.ts";
import { kycStatements } from "./kyc-statements.ts";
import { withCommit } from "./transaction.ts";

/** The KYC records of platforms, each with its history; see the port for the contract. */
export function kycRecordsRepository(database: Database): KycRecords {
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
            }),
            statements.insertHistory.execute({ ...inserted, source: "submission" }),
          ],
          ([rows]) => ({ kind: "new", record: theOneRow(rows) }),
        );
      }),

    storeVerdict: (platformId, { kycRecordId, attempt }, verdict) =>
      database.asPlatform(platformId, async (tx) => {
        const statements = kycStatements(tx);
        const record = theOneRow(await statements.lockRecord.execute({ platformId, kycRecordId }));
        if (record.attempt !== attempt || record.settlement !== "unsettled") return record;

        const state = applyVerdict(record, verdict);
        const learned = { ...state, platformId, kycRecordId };
        return withCommit(
          [
            statements.settleRecord.execute(learned),
            statements.insertHistory.execute({ ...learned, source: "provider" }),
          ],
          () => ({ ...record, ...state }),
        );
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
