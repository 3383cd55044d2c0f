import type { KycSubmission, ProviderKycRequest } from "@cardbridge/domain";
import { splitName } from "./names.ts";
import type { NewCardholder } from "./wire.ts";

/** Airwallex's value of each document type. */
const documentTypes: Record<KycSubmission["documentType"], string> = {
  passport: "PASSPORT",
  id_card: "ID_CARD",
  driver_license: "DRIVERS_LICENSE",
};

const genders: Record<KycSubmission["gender"], string> = { male: "M", female: "F" };

/** The ids of the uploaded images. */
export interface DocumentFiles {
  front: string;
  back?: string | undefined;
}

interface Parts {
  address: NewCardholder["individual"]["address"];
  files: DocumentFiles;
}

/**
 * Maps a submission field by field, so the request never contains any other property of the input. The platform's
 * contract requires it to obtain the user's consent to the verification. It names no other consent, so none is sent.
 */
export function toNewCardholder(
  applicant: ProviderKycRequest["applicant"],
  { address, files: { front, back } }: Parts,
): NewCardholder {
  return {
    type: "INDIVIDUAL",
    email: applicant.email,
    mobile_number: `${applicant.phoneCountryCode}${applicant.phoneNumber}`,
    individual: {
      name: splitName(applicant.name),
      date_of_birth: applicant.birthday,
      nationality: applicant.nationality,
      address,
      express_consent_obtained: "yes",
      identification: {
        type: documentTypes[applicant.documentType],
        number: applicant.documentNumber,
        country: applicant.documentCountry,
        expiry_date: applicant.documentExpiryDate ?? "",
        gender: genders[applicant.gender],
        document_front_file_id: front,
        ...(back !== undefined && { document_back_file_id: back }),
      },
    },
  };
}
