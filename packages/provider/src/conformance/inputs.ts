import { randomUUID } from "node:crypto";
import type { ProviderFiles, ProviderKycRequest, ProviderSteps, StepResult } from "@cardbridge/domain";

/** Creates a complete submission with new references and the given e-mail address. */
export function newKycRequest(email: string): ProviderKycRequest {
  const suffix = randomUUID().replaceAll("-", "");
  return {
    reference: `kyc_${suffix}`,
    userReference: `usr_${suffix}`,
    fingerprint: `fingerprint-${suffix}`,
    steps: memorySteps(),
    files: oneImage,
    renews: null,
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
      phoneNumber: digitsOf(suffix),
      gender: "female",
      annualIncome: "20000-50000",
      occupation: "Engineer",
      position: "Lead",
      nationality: "SG",
      contactAddress: "1 Example Street, Singapore, 049315, SG",
      supportingDocuments: [
        { documentType: "BANK_STATEMENT", fileUrl: "https://files.example/statement.pdf" },
      ],
    },
  };
}

/** A different number for each user, because a provider may accept each number only once. */
const digitsOf = (hex: string) => String(Number.parseInt(hex.slice(0, 12), 16)).padStart(15, "1");

/** The steps of one submission, in memory. */
export function memorySteps(): ProviderSteps {
  const results = new Map<string, StepResult>();
  return {
    done: async (name) => results.get(name),
    keep: async (name, result) => void results.set(name, result),
  };
}

/** Every URL refers to the same image and is returned unchanged. */
const oneImage: ProviderFiles = {
  url: (fileUrl) => fileUrl,
  open: async () => new Blob([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)], { type: "image/jpeg" }),
};
