import { isCardNumber, type OrderedVerdict, type ProviderKycRequest, withFileUrls } from "@cardbridge/domain";
import { toReasons } from "./kyc-reasons.ts";
import type { WireKycState, WireSubmission } from "./wire.ts";

/**
 * Maps a submission field by field, so the request never contains any other property of the input. The provider
 * fetches the files: each request signs their URLs again, because signed URLs expire.
 */
export function toWireSubmission(submission: ProviderKycRequest): WireSubmission {
  const { userReference, fingerprint, files, ...request } = submission;
  const applicant = withFileUrls(request.applicant, files.url);
  const permanentlyValid = applicant.documentPermanentlyValid === true;
  return {
    userReference,
    fingerprint,
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

/**
 * Maps the state of a submission to a verdict. A card account that is a card number becomes null. Only a rejection has
 * reasons.
 */
export function toVerdict({ status, cardAccountId, revision, ...why }: WireKycState): OrderedVerdict {
  const account = cardAccountId && !isCardNumber(cardAccountId) ? cardAccountId : null;
  const reasons = status === "rejected" ? toReasons(why) : {};
  return { outcome: "answered", subStatus: status, cardAccountId: account, revision, ...reasons };
}
