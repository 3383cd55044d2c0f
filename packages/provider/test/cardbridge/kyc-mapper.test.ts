import { documentTypes, supportingDocumentTypes } from "@cardbridge/domain";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toWireSubmission } from "../../src/cardbridge/kyc-mapper.ts";
import { newKycRequest } from "../../src/conformance/inputs.ts";

it("maps every field of a submission to its place in the contract", () => {
  const request = newKycRequest("ada@example.com");
  expect(toWireSubmission(request)).toEqual({
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

it("never maps a member id, wherever the input has one", () => {
  const memberId = "member-distinctive-5f0c";
  const text = fc.string({ minLength: 1 }).filter((value) => !value.includes(memberId));
  const stray = fc.constantFrom({}, { memberId }, { memberId, nested: { memberId } });
  const file = fc.record({ documentType: fc.constantFrom(...supportingDocumentTypes), fileUrl: text });
  const applicant = fc.record(
    {
      email: fc.emailAddress(),
      name: text,
      birthday: text,
      documentType: fc.constantFrom(...documentTypes),
      documentNumber: text,
      documentCountry: text,
      documentExpiryDate: text,
      documentPermanentlyValid: fc.boolean(),
      frontImageUrl: text,
      backImageUrl: text,
      selfieImageUrl: text,
      phoneCountryCode: text,
      phoneNumber: text,
      gender: fc.constantFrom("male" as const, "female" as const),
      annualIncome: fc.constantFrom("<20000" as const, ">500000" as const),
      occupation: text,
      position: text,
      nationality: text,
      contactAddress: text,
      supportingDocuments: fc.array(fc.tuple(file, stray).map(([one, other]) => ({ ...one, ...other }))),
    },
    {
      requiredKeys: [
        "email",
        "name",
        "birthday",
        "documentType",
        "documentNumber",
        "documentCountry",
        "frontImageUrl",
        "selfieImageUrl",
        "phoneCountryCode",
        "phoneNumber",
        "gender",
        "annualIncome",
        "occupation",
        "position",
        "nationality",
        "contactAddress",
      ],
    },
  );
  fc.assert(
    fc.property(applicant, stray, stray, (fields, inside, outside) => {
      const request = {
        ...newKycRequest("ada@example.com"),
        applicant: { ...fields, ...inside },
        ...outside,
      };
      const sent = JSON.stringify(toWireSubmission(request));
      expect(sent).not.toContain(memberId);
      expect(sent).not.toContain("memberId");
    }),
  );
});
