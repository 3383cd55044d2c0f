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
    const { submission: outcome, errors } = await kyc.validate(submission);
    const { decision, reasons, final, record } =
      outcome === "invalid" ? { decision: "invalid", reasons: errors } : await kyc.decide(submission);
    switch (decision) {
      case "approved":
        return (await cards.list({ memberId: person.memberId })).items[0];
      case "invalid": // The service would reject the submission.
      case "refused": // The provider did not accept the submission.
      case "rejected": // The provider reviewed the submission.
        if (final || reasons.length === 0) break;
        Object.assign(submission, await correct(reasons));
        continue;
      case "pending": // A review may take days. Store record.kycRecordId, and call kyc.waitForDecision(record) later.
      case "action-required": // The provider asks for a document. Ask the user for it, and call kyc.answerRequest.
      case "conflict": // The user's open or approved record has other data. This submission changed nothing.
        break;
    }
    throw new Error(`Not approved: ${decision}`, { cause: record });
  }
}
