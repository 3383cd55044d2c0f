import { randomUUID } from "node:crypto";
import type { ProviderKycRequest } from "@cardbridge/domain";

/** Creates a complete submission with new references and the given e-mail address. */
export function newKycRequest(email: string): ProviderKycRequest {
  const suffix = randomUUID().replaceAll("-", "");
  return {
    reference: `kyc_${suffix}`,
    userReference: `usr_${suffix}`,
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
