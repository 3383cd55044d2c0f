import { ProblemError } from "@cardbridge/client";

/** Verifies a person and returns their first card, if any. `correct` receives the reasons and returns the changes. */
export async function onboard({ cards, files, kyc }, person, images, correct) {
  const upload = async (purpose, file) => (await files.upload({ purpose, file })).url;
  const fileUrl = await upload("supporting_document", images.addressProof);
  const submission = { ...person, supportingDocuments: [{ documentType: "ADDRESS_PROOF", fileUrl }] };
  const { fields } = await kyc.requirements({ documentType: person.documentType });
  for (const { name, presence, filePurpose: purpose } of fields) {
    if (purpose && presence === "required") submission[name] = await upload(purpose, images[name]);
  }
  for (;;) {
    const { status, code, reasons = [], final } = await decide(kyc, submission);
    if (status === "APPROVED") return (await cards.list({ memberId: person.memberId })).items[0];
    if (final || reasons.length === 0) throw new Error(`Not approved: ${status ?? code}`);
    Object.assign(submission, await correct(reasons));
  }
}

/** The decision on a submission. It has a status only if the provider reviewed the submission. */
async function decide(kyc, submission) {
  const { valid, code, errors } = await kyc.validate(submission);
  if (!valid) return { code, reasons: errors };
  try {
    return await kyc.waitForDecision(await kyc.submit(submission));
  } catch (error) {
    if (!(error instanceof ProblemError && error.code === "KYC_REFUSED")) throw error;
    return { code: error.code, reasons: error.problem.errors, final: error.problem.final };
  }
}
