import type { annualIncomes, documentTypes, genders, supportingDocumentTypes } from "./vocabulary.js";

/** A submission that was found valid: countries in capitals, free text trimmed. */
export interface Submission {
  email: string;
  name: string;
  birthday: string;
  documentType: (typeof documentTypes)[number];
  documentNumber: string;
  documentCountry: string;
  documentExpiryDate?: string | undefined;
  documentPermanentlyValid?: true | undefined;
  frontImageUrl: string;
  backImageUrl?: string | undefined;
  selfieImageUrl: string;
  phoneCountryCode: string;
  phoneNumber: string;
  gender: (typeof genders)[number];
  annualIncome: (typeof annualIncomes)[number];
  occupation: string;
  position: string;
  nationality: string;
  contactAddress: string;
  supportingDocuments?:
    | { documentType: (typeof supportingDocumentTypes)[number]; fileUrl: string }[]
    | undefined;
  memberId: string;
}

/** The provider's body of a submission. The member id is not for it. */
export function toProviderBody(submission: Submission, userReference: string) {
  return {
    userReference,
    applicant: {
      email: submission.email,
      fullName: submission.name,
      birthDate: submission.birthday,
      gender: submission.gender,
      nationality: submission.nationality,
      phone: { countryCode: submission.phoneCountryCode, number: submission.phoneNumber },
      address: submission.contactAddress,
      annualIncome: submission.annualIncome,
      occupation: submission.occupation,
      position: submission.position,
    },
    document: {
      type: submission.documentType,
      number: submission.documentNumber,
      country: submission.documentCountry,
      expiryDate: submission.documentExpiryDate ?? null,
      permanentlyValid: submission.documentPermanentlyValid ?? false,
      frontImageUrl: submission.frontImageUrl,
      backImageUrl: submission.backImageUrl ?? null,
      selfieImageUrl: submission.selfieImageUrl,
    },
    supportingDocuments: submission.supportingDocuments ?? [],
  };
}
