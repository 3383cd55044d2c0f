import { Failure, recordSubmission, recordSubmissionQuery, withoutFiles } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { pipelineCommit } from "../database/statements.ts";
import { forPersons } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import {
  coveredEvidence,
  evidenceFiles,
  evidenceHashOf,
  readSubmission,
  type StoredSubmission,
} from "./evidence.ts";
import { exampleOpened } from "./example.ts";

type OpenedRow = StoredSubmission & { auditId: string; openedAt: string; expiresAt: string; version: string };

/** Opens what a person submitted, for a purpose. */
export const openRecordSubmission = defineOperation({
  ...forPersons("ops.evidence"),
  id: "records.submission",
  kind: "write",
  summary: "Open a record's evidence",
  description:
    "Opens the submitted fields and the list of files for a purpose, which the audit keeps. The files are shown with " +
    "records.submissionFile for 15 minutes, to this person only.",
  input: recordSubmissionQuery,
  rules: [],
  output: recordSubmission,
  example: { input: { kycRecordId: exampleOpened.kycRecordId, purpose: "review" }, output: exampleOpened },
  errors: ["PERSON_REQUIRED", "KYC_RECORD_NOT_FOUND"],
  // The database writes the entry with the read.
  audit: [],

  async run(ports, call, { kycRecordId, purpose }) {
    const personId = requirePerson(call);
    const { platformId } = call;
    const record = { platformId, kycRecordId };
    const covered = await coveredEvidence(ports, record);
    const files = await evidenceFiles(ports, platformId, covered);
    const fingerprint = covered.fingerprint ?? "-";
    const evidenceHash = await evidenceHashOf({ kycRecordId, fingerprint, files });
    const openingId = ports.ids.openingId();
    const { ring } = await ports.personalDataKeys();
    const { actor, requestId, address } = originOf(call);
    // Nothing is shown before the database has audited the opening.
    const row = await ports.database.asPlatform<OpenedRow | null>(platformId, async (tx) => {
      const opened = tx.execute<OpenedRow>(
        sql`select audit_id::text as "auditId", opened_at as "openedAt", expires_at as "expiresAt", version, fingerprint,
              encrypted, user_id as "userId", data_key as "dataKey", key_version as "keyVersion"
            from open_evidence(${openingId}, ${kycRecordId}, ${personId}, ${purpose}, ${actor}, ${requestId}, ${address}, ${evidenceHash})`,
      );
      return pipelineCommit([opened], ([{ rows }]) => rows[0] ?? null);
    });
    if (!row) throw new Failure("KYC_RECORD_NOT_FOUND");
    const { auditId, openedAt, expiresAt, version, ...stored } = row;
    const { submission } = readSubmission(stored, record, ring);
    // No URL is shown: it would open a file without a watermark and without an audit entry. An erasure may come
    // between the two reads.
    const shown = submission ? { submission: withoutFiles(submission), files } : { submission, files: [] };
    const opening = {
      ...{ kycRecordId, platformId, openingId, auditId, version, evidenceHash },
      openedAt: new Date(openedAt).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
    };
    return { data: { ...opening, ...shown } };
  },
});
