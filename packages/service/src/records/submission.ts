import { Failure, recordSubmission, recordSubmissionQuery, withoutFiles } from "@cardbridge/domain";
import { evidenceFiles, evidenceHashOf } from "../evidence/files.ts";
import { forPersons } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import { exampleOpened } from "./submission-example.ts";

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
    const covered = await ports.evidence.covered(kycRecordId);
    if (!covered) throw new Failure("KYC_RECORD_NOT_FOUND");
    const { platformId, fingerprint } = covered;
    const files = covered.submission ? await evidenceFiles(ports, platformId, covered.submission) : [];
    const evidenceHash = await evidenceHashOf({ kycRecordId, fingerprint: fingerprint ?? "-", files });
    const openingId = ports.ids.openingId();
    const by = originOf(call, "records.submission");
    // Nothing is shown before the database has audited the opening.
    const opened = await ports.evidence.open({ kycRecordId, purpose, openingId, personId, evidenceHash, by });
    if (!opened) throw new Failure("KYC_RECORD_NOT_FOUND");
    const { submission, ...opening } = opened;
    // No URL is shown: it would open a file without a watermark and without an audit entry. An erasure may come
    // between the two reads.
    const shown = submission ? { submission: withoutFiles(submission), files } : { submission, files: [] };
    return { data: { ...opening, evidenceHash, ...shown } };
  },
});
