import { type KycResult, type kycSubmission, messages, type toKycReading } from "@cardbridge/domain";
import type { z } from "zod";

/** A valid submission and its result. */
export const exampleSubmission = {
  input: {
    memberId: "erin",
    email: "erin+approved@demo.cardbridge.test",
    name: "Erin Example",
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
    position: "Staff engineer",
    contactAddress: "1 Example Street, Singapore 000001",
    supportingDocuments: [
      { documentType: "BANK_STATEMENT", fileUrl: "https://files.example.com/statement.pdf" },
    ],
  },
  output: {
    success: true,
    code: "KYC_SUBMITTED",
    message: messages.KYC_SUBMITTED,
    externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
    kycRecordId: "kyc_01jexample0000000000000000",
    status: "APPROVED",
    subStatus: "approved",
    cardAccountId: "acct_0a1b2c3d",
  },
} satisfies { input: z.input<typeof kycSubmission>; output: KycResult };

/** A reading of its record. */
export const exampleReading = {
  ...exampleSubmission.output,
  documentExpiry: "valid",
  renews: null,
  requests: [],
} satisfies ReturnType<typeof toKycReading>;
