import { ProblemError } from "@cardbridge/client";

/** Verifies a person, and returns their first card. `correct` gets what to change, and returns the changed fields. */
export async function onboard({ cards, files, kyc }, person, images, correct) {
  const upload = async (purpose, file) => (await files.upload({ purpose, file })).url;
  const fileUrl = await upload("supporting_document", images.addressProof);
  const submission = { ...person, supportingDocuments: [{ documentType: "ADDRESS_PROOF", fileUrl }] };
  const { fields } = await kyc.requirements({ documentType: person.documentType });
  for (const { name, presence, filePurpose: purpose } of fields) {
    if (purpose && presence === "required") submission[name] = await upload(purpose, images[name]);
  }
  for (;;) {
    const changes = await decide(kyc, submission);
    if (changes.length === 0) return cards.get((await cards.list({ memberId: person.memberId })).items[0]);
    Object.assign(submission, await correct(changes));
  }
}

/** What has to change before the person is approved; empty if they are. */
async function decide(kyc, submission) {
  const { valid, errors } = await kyc.validate(submission);
  if (!valid) return errors;
  try {
    const { status, reasons } = await kyc.waitForDecision(await kyc.submit(submission));
    return status === "APPROVED" ? [] : reasons;
  } catch (error) {
    if (error instanceof ProblemError && error.code === "KYC_REFUSED") return error.problem.errors;
    throw error;
  }
}
