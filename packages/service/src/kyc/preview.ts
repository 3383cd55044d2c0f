import { type CreatePreview, decideSubmission, Failure, type KycRecords } from "@cardbridge/domain";
import type { Database } from "../database/database.ts";
import { requireRow } from "../database/require-row.ts";
import type { Tx } from "../database/statements.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";
import { violationsOfUses } from "../files/use.ts";
import { previewEmailOwner } from "../users/email-owner.ts";
import { findUsers } from "../users/lock.ts";
import { creationStatements } from "./creation-statements.ts";
import { idempotencyStatements } from "./idempotency-statements.ts";
import { type PreparedRecord, prepareRecord } from "./prepare-record.ts";
import { submissionFacts } from "./submission-facts.ts";

/** Previews submissions: reads the same rows as a submission, without locks, and applies its rules; see the port. */
export function previews(database: Database, verifiedKeys: VerifiedKeys): Pick<KycRecords, "preview"> {
  return {
    async preview(platformId, request) {
      const context = { keys: await verifiedKeys(), lease: "", sendWithinMs: 0 };
      const prepared = prepareRecord(platformId, request, context);
      return database.asPlatform(platformId, (tx) => previewInTransaction(tx, prepared));
    },
  };
}

async function previewInTransaction(tx: Tx, prepared: PreparedRecord): Promise<CreatePreview> {
  const { platformId, request, user: names, key, fingerprint } = prepared;
  const statements = creationStatements(tx);
  const [usedKeys, { user, emailOwner }, records] = await Promise.all([
    key && idempotencyStatements(tx).findKey.execute(key),
    findUsers(tx, platformId, names),
    statements.recordsToCompare.execute({ ...names, platformId, fingerprint }),
  ]);
  const owner = emailOwner && (await previewEmailOwner(tx, platformId, emailOwner));
  const facts = submissionFacts(prepared, { usedKey: usedKeys?.[0], user, emailOwner: owner, records });
  const decision = decideSubmission(facts, request);
  if (decision.kind === "refuse") throw decision.failure;
  if (decision.kind === "replay") {
    const { kycRecordId } = decision;
    const found = await statements.findRecord.execute({ platformId, kycRecordId });
    return { kind: "replay", record: requireRow(found, "KYC record") };
  }
  const violations = await violationsOfUses(tx, platformId, request.files, user?.id ?? null);
  if (violations.length > 0) throw new Failure("INVALID_INPUT", { violations });
  return { kind: "new" };
}
