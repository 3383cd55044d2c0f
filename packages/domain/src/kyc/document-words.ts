/** Every kind of document in a sentence. */
const documents: Readonly<Record<string, string>> = {
  UTILITY_BILL: "a utility bill",
  TENANCY_AGREEMENT: "a tenancy agreement",
  ADDRESS_PROOF: "a proof of address",
  BANK_STATEMENT: "a bank statement",
  TRAVEL_PERMIT_FRONT: "the front of the travel permit",
  TRAVEL_PERMIT_BACK: "the back of the travel permit",
  PROOF_OF_VISIT: "a proof of the visit",
  SELFIE: "a selfie",
  DOCUMENT_FRONT: "the front of the identity document",
  DOCUMENT_BACK: "the back of the identity document",
};

/** A document type in the words of a sentence. A type that the service does not know keeps its name. */
export function documentWords(documentType: string): string {
  const known = Object.hasOwn(documents, documentType) ? documents[documentType] : undefined;
  return known ?? documentType.toLowerCase().replaceAll("_", " ");
}
