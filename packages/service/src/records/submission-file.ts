import { Failure, shownPages, submissionFile, submissionFileQuery } from "@cardbridge/domain";
import { forPersons } from "../operation/actors.ts";
import { holderOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import { readNames } from "../persons/names.ts";
import { exampleFileId, exampleOpened } from "./submission-example.ts";

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

  async run(ports, call, input) {
    const { evidence, evidenceRenderer, files } = ports;
    const { kycRecordId, openingId, fileId, page } = input;
    const personId = requirePerson(call);
    const opening = await evidence.opening(openingId, { kycRecordId, personId });
    // The platform's auditor sees who tried which record.
    if (!opening) throw new Failure("EVIDENCE_CLOSED", { kycRecordId });
    const { platformId, auditId, openedAt } = opening;
    const file = (await evidence.uses(opening, fileId)) ? await files.read(platformId, fileId) : null;
    if (!file) throw new Failure("FILE_NOT_FOUND", { kycRecordId });
    const [person] = await readNames(ports, [personId]);
    const watermark = { name: person?.name ?? personId, personId, time: openedAt, auditId };
    const rendered = await evidenceRenderer.render({ ...file, page, watermark }, holderOf(call));
    const { allPages, width, height } = rendered;
    const image = Buffer.from(rendered.bytes).toString("base64");
    const data = { fileId, page, pages: Math.min(allPages, shownPages), allPages, width, height, image };
    return { data, subject: fileId, platformId };
  },
});
