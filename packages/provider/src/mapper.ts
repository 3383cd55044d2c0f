import type { KycVerdict, ProviderKycRequest } from "@cardbridge/domain";
import { isCardNumber } from "./card-number.ts";
import type { WireKycState, WireSubmission } from "./wire.ts";

/** What is sent of a submission. Field by field, so that nothing else that an object carries can leave. */
export function toWireSubmission({ userReference, applicant }: ProviderKycRequest): WireSubmission {
  const permanentlyValid = applicant.documentPermanentlyValid === true;
  return {
    userReference,
    applicant: {
      email: applicant.email,
      fullName: applicant.name,
      birthDate: applicant.birthday,
      gender: applicant.gender,
      nationality: applicant.nationality,
      phone: { countryCode: applicant.phoneCountryCode, number: applicant.phoneNumber },
      address: applicant.contactAddress,
      annualIncome: applicant.annualIncome,
      occupation: applicant.occupation,
      position: applicant.position,
    },
    document: {
      type: applicant.documentType,
      number: applicant.documentNumber,
      country: applicant.documentCountry,
      expiryDate: permanentlyValid ? null : (applicant.documentExpiryDate ?? null),
      permanentlyValid,
      frontImageUrl: applicant.frontImageUrl,
      backImageUrl: applicant.backImageUrl ?? null,
      selfieImageUrl: applicant.selfieImageUrl,
    },
    supportingDocuments: (applicant.supportingDocuments ?? []).map(({ documentType, fileUrl }) => ({
      type: documentType,
      fileUrl,
    })),
  };
}

/** What a state says of a submission: its raw status as it is, and no account that is a card number. */
export function toVerdict({ status, cardAccountId, revision }: WireKycState): KycVerdict {
  const account = cardAccountId && !isCardNumber(cardAccountId) ? cardAccountId : null;
  return { outcome: "answered", subStatus: status, cardAccountId: account, revision };
}
