import { randomBytes } from "node:crypto";

const submission = {
  name: "Bench Mark",
  birthday: "1990-01-31",
  gender: "female",
  nationality: "HK",
  documentType: "passport",
  documentNumber: "E1234567",
  documentCountry: "HK",
  documentExpiryDate: "2034-05-01",
  frontImageUrl: "https://files.example.com/front.jpg",
  selfieImageUrl: "https://files.example.com/selfie.jpg",
  phoneCountryCode: "+852",
  phoneNumber: "81234567",
  annualIncome: "20000-50000",
  occupation: "Engineer",
  position: "Staff engineer",
  contactAddress: "1 Example Street, Hong Kong",
};

/** Makes a function whose every call gives the body of a new user's submission. */
export function submissions() {
  let made = 0;
  const run = randomBytes(4).toString("hex");
  return () => {
    made += 1;
    const memberId = `new-${run}-${made}`;
    return JSON.stringify({ ...submission, memberId, email: `${memberId}@example.com` });
  };
}
