import { applyVerdict, type KycRecord, type KycVerdict, newRecord } from "../../src/index.ts";

/** A submission that satisfies every rule. Tests change single fields. */
export const validBody = {
  memberId: "member-1",
  email: "someone@example.com",
  name: "Some One",
  birthday: "1990-01-31",
  gender: "female",
  nationality: "SG",
  documentType: "passport",
  documentNumber: "E1234567",
  documentCountry: "SG",
  documentExpiryDate: "2034-05-01",
  frontImageUrl: "https://files.example.com/front.jpg",
  selfieImageUrl: "https://files.example.com/selfie.jpg",
  phoneCountryCode: "+65",
  phoneNumber: "81234567",
  annualIncome: "20000-50000",
  occupation: "Engineer",
  position: "Staff",
  contactAddress: "1 Example Street",
  supportingDocuments: [{ documentType: "BANK_STATEMENT", fileUrl: "https://files.example.com/s.pdf" }],
};

export function without(...fields: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(validBody).filter(([field]) => !fields.includes(field)));
}

/** A record after these verdicts; unresolved without one. */
export function recordAfter(...verdicts: KycVerdict[]): KycRecord {
  const ids = { kycRecordId: "kyc_1", externalUserId: "usr_1", createdAt: new Date(0) };
  return verdicts.reduce<KycRecord>(applyVerdict, { ...newRecord, ...ids });
}

export const refused: KycVerdict = { outcome: "refused" };
export const answered = (subStatus: string, revision: number | null = 1) =>
  ({ outcome: "answered", subStatus, cardAccountId: null, revision }) as const;
