import { randomUUID } from "node:crypto";
import type { ProviderKycRequest } from "@cardbridge/domain";

/** A complete order under new references, for this e-mail address. */
export function newOrder(email: string): ProviderKycRequest {
  const mark = randomUUID().replaceAll("-", "");
  return {
    reference: `kyc_${mark}`,
    userReference: `usr_${mark}`,
    applicant: {
      email,
      name: "Ada Example",
      birthday: "1990-01-31",
      documentType: "passport",
      documentNumber: "E1234567X",
      documentCountry: "SG",
      documentExpiryDate: "2031-05-01",
      frontImageUrl: "https://files.example/front.png",
      selfieImageUrl: "https://files.example/selfie.png",
      phoneCountryCode: "+65",
      phoneNumber: "81234567",
      gender: "female",
      annualIncome: "20000-50000",
      occupation: "Engineer",
      position: "Lead",
      nationality: "SG",
      contactAddress: "1 Example Street, Singapore",
      supportingDocuments: [
        { documentType: "BANK_STATEMENT", fileUrl: "https://files.example/statement.pdf" },
      ],
    },
  };
}
