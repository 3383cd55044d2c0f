import { Failure, shownPages, submissionFile, submissionFileQuery } from "@cardbridge/domain";
import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { evidenceOpenings, kycRecords } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forPersons } from "../operation/actors.ts";
import { holderOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import type { Ports } from "../operation/ports.ts";
import { readNames } from "../persons/names.ts";
import { coveredEvidence, namedFiles } from "./evidence.ts";
import { exampleFileId, exampleOpened } from "./example.ts";

const openingFields = {
  auditId: sql<string>`${evidenceOpenings.auditId}::text`,
  openedAt: shownMoment(sql`${evidenceOpenings.openedAt}`),
};

/** Shows one page of a file of opened evidence. */
export const showSubmissionFile = defineOperation({
  ...forPersons("ops.evidence"),
  id: "records.submissionFile",
  kind: "read",
  summary: "Show a file of a record",
  description:
    "Shows one page of a file as a picture with a watermark, to the person who opened the record's evidence within the " +
    "last 15 minutes. Nothing caches it.",
  input: submissionFileQuery,
  rules: [],
  output: submissionFile,
  example: {
    input: {
      kycRecordId: exampleOpened.kycRecordId,
      openingId: exampleOpened.openingId,
      fileId: exampleFileId,
    },
    output: { fileId: exampleFileId, page: 1, pages: 1, allPages: 1, width: 1_600, height: 1_200, image: "" },
  },
  errors: ["PERSON_REQUIRED", "KYC_RECORD_NOT_FOUND", "EVIDENCE_CLOSED", "FILE_NOT_FOUND"],
  audit: ["done", "EVIDENCE_CLOSED"],
  oncePerHour: true,

  async run(ports, call, { kycRecordId, openingId, fileId, page }) {
    const { platformId } = call;
    const personId = requirePerson(call);
    const opening = await findOpening(ports, { platformId, kycRecordId, openingId, personId });
    // The platform's auditor sees who tried which record.
    if (!opening) throw new Failure("EVIDENCE_CLOSED", { kycRecordId });
    const evidence = await coveredEvidence(ports, { platformId, kycRecordId });
    const isUsed = namedFiles(evidence).some(({ url }) => ports.fileUrls.fileIdOf(url) === fileId);
    if (!isUsed) throw new Failure("FILE_NOT_FOUND", { kycRecordId });
    const file = async () => {
      const located = await ports.files.locate(platformId, fileId);
      if (!located) throw new Failure("FILE_NOT_FOUND", { kycRecordId });
      return located;
    };
    const { auditId, openedAt } = opening;
    const [person] = await readNames(ports, [personId]);
    const watermark = { name: person?.name ?? personId, personId, time: openedAt, auditId };
    const rendered = await ports.evidenceRenderer.render({ file, page, watermark }, holderOf(call));
    const data = { fileId, page, pages: Math.min(rendered.allPages, shownPages), ...rendered };
    return { data, subject: fileId };
  },
});

interface OpeningReference {
  platformId: string;
  kycRecordId: string;
  openingId: string;
  personId: string;
}

/** A person's opening of a record that has not expired; null otherwise. */
function findOpening(
  { database }: Pick<Ports, "database">,
  { platformId, kycRecordId, openingId, personId }: OpeningReference,
) {
  return database.asPlatform<{ auditId: string; openedAt: string } | null>(platformId, async (tx) => {
    const found = tx
      .select(openingFields)
      .from(evidenceOpenings)
      .innerJoin(
        kycRecords,
        and(
          eq(kycRecords.platformId, evidenceOpenings.platformId),
          eq(kycRecords.id, evidenceOpenings.recordId),
        ),
      )
      .where(
        and(
          eq(evidenceOpenings.platformId, platformId),
          eq(evidenceOpenings.id, openingId),
          eq(evidenceOpenings.recordId, kycRecordId),
          eq(evidenceOpenings.personId, personId),
          gt(evidenceOpenings.expiresAt, sql`clock_timestamp()`),
          // An erasure closes the record's openings.
          isNotNull(kycRecords.encrypted),
        ),
      );
    return pipelineCommit([found], ([rows]) => rows[0] ?? null);
  });
}
