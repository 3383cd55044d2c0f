/** A valid body for `PUT /v1/kyc/{reference}`. The applicant's e-mail address carries the tag. */
export function submission(tag?: string, userReference = "usr_1") {
  return {
    userReference,
    applicant: {
      email: tag === undefined ? "jane@example.com" : `jane+${tag}@example.com`,
      fullName: "Jane Doe",
      birthDate: "1990-01-31",
      gender: "female",
      nationality: "SG",
      phone: { countryCode: "+65", number: "81234567" },
      address: "1 High Street",
      annualIncome: "20000-50000",
      occupation: "Engineer",
      position: "Lead",
    },
    document: {
      type: "passport",
      number: "A1234567",
      country: "SG",
      expiryDate: "2031-05-01",
      permanentlyValid: false,
      frontImageUrl: "https://files.example.com/front.jpg?signature=1",
      backImageUrl: null,
      selfieImageUrl: "https://files.example.com/selfie.jpg?signature=1",
    },
    supportingDocuments: [
      { type: "BANK_STATEMENT", fileUrl: "https://files.example.com/statement.pdf?signature=1" },
    ],
  };
}
