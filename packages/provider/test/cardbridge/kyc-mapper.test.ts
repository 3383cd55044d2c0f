import { expect, it } from "vitest";
import { toWireSubmission } from "../../src/cardbridge/kyc-mapper.ts";
import { newKycRequest } from "../../src/conformance/inputs.ts";

it("maps every field of a submission to its place in the contract, and never a member id", () => {
  const request = newKycRequest("ada@example.com");
  const stray = { memberId: "member-1", nested: { memberId: "member-1" } };
  const { supportingDocuments = [] } = request.applicant;
  const applicant = {
    ...request.applicant,
    ...stray,
    supportingDocuments: supportingDocuments.map((document) => ({ ...document, ...stray })),
  };
  expect(toWireSubmission({ ...request, ...stray, applicant })).toEqual({
    userReference: request.userReference,
    fingerprint: request.fingerprint,
    applicant: {
      email: "ada@example.com",
      fullName: "Ada Example",
      birthDate: "1990-01-31",
      gender: "female",
      nationality: "SG",
      phone: { countryCode: "+65", number: request.applicant.phoneNumber },
      address: request.applicant.contactAddress,
      annualIncome: "20000-50000",
      occupation: "Engineer",
      position: "Lead",
    },
    document: {
      type: "passport",
      number: "E1234567X",
      country: "SG",
      expiryDate: "2031-05-01",
      permanentlyValid: false,
      frontImageUrl: "https://files.example/front.png",
      backImageUrl: null,
      selfieImageUrl: "https://files.example/selfie.png",
    },
    supportingDocuments: [{ type: "BANK_STATEMENT", fileUrl: "https://files.example/statement.pdf" }],
  });
});

it("maps a permanent document to a null date, and missing supporting documents to an empty list", () => {
  const request = newKycRequest("ada@example.com");
  const { documentExpiryDate: _, supportingDocuments: __, ...rest } = request.applicant;
  const applicant = {
    ...rest,
    documentPermanentlyValid: true,
    backImageUrl: "https://files.example/back.png",
  };
  expect(toWireSubmission({ ...request, applicant })).toMatchObject({
    document: {
      expiryDate: null,
      permanentlyValid: true,
      backImageUrl: "https://files.example/back.png",
    },
    supportingDocuments: [],
  });
});
