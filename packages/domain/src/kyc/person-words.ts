import { type KycExplanation, type KycReasonCode, personMessages } from "./reasons.ts";

type Reason = KycExplanation["reasons"][number];

/** The fields of a submission in the words of a sentence to the person; `file` is one that the person adds. */
const fields: Readonly<Record<string, { words: string; file?: true }>> = {
  email: { words: "your e-mail address" },
  name: { words: "your name" },
  birthday: { words: "your date of birth" },
  documentType: { words: "the type of your document" },
  documentNumber: { words: "the number of your document" },
  documentCountry: { words: "the country of your document" },
  documentExpiryDate: { words: "the expiry date of your document" },
  documentPermanentlyValid: { words: "the expiry date of your document" },
  frontImageUrl: { words: "the front of your document", file: true },
  backImageUrl: { words: "the back of your document", file: true },
  selfieImageUrl: { words: "your selfie", file: true },
  phoneCountryCode: { words: "your phone number" },
  phoneNumber: { words: "your phone number" },
  gender: { words: "your gender" },
  annualIncome: { words: "your annual income" },
  occupation: { words: "your occupation" },
  position: { words: "your position" },
  nationality: { words: "your nationality" },
  contactAddress: { words: "your address" },
  supportingDocuments: { words: "your proof of address", file: true },
};

const fieldOf = ({ field }: Reason) => fields[field?.split("/")[1] ?? ""];

/** Sentences that name the file. */
const aboutFile: Partial<Record<KycReasonCode, (file: string) => string>> = {
  DOCUMENT_UNREADABLE: (file) =>
    `We could not read ${file}. Take a new photo that is sharp and shows all of it.`,
  DOCUMENT_UNSUPPORTED: (file) => `We cannot accept ${file}. Use another document.`,
  FILE_UNREACHABLE: (file) => `We did not receive ${file}. Add it again.`,
  FILE_TYPE_UNSUPPORTED: (file) =>
    `We cannot open ${file}. Add photos as JPEG, PNG or WebP, and a proof of address also as PDF.`,
  OTHER: (file) => `We could not accept ${file}. Add a new one.`,
};
/** Sentences that name what the person entered. */
const aboutEntry: Partial<Record<KycReasonCode, (entry: string) => string>> = {
  DOCUMENT_MISMATCH: (entry) =>
    `You entered ${entry} in another way than your document shows it. Enter it as your document shows it.`,
  OTHER: (entry) => `We could not confirm ${entry}. Check it.`,
};

/** What is wrong, in a sentence, and behind it what the person can do, if anything. */
function personSentences(reason: Reason): string {
  const field = fieldOf(reason);
  const say = field && (field.file ? aboutFile : aboutEntry)[reason.code];
  return say ? say(field.words) : personMessages[reason.code];
}

/** What the person is told about a submission that was declined for some reasons. */
export function declinedWords({ reasons, final }: KycExplanation): string {
  const said = [...new Set(reasons.map(personSentences))];
  const wrong = said.map((sentences) => sentences.replace(/(?<=\.) .*/, ""));
  if (final) return `${wrong.join(" ")} Submitting again does not change this.`;
  return said.every((sentences) => wrong.includes(sentences))
    ? said.join(" ")
    : `${said.join(" ")} Then submit again.`;
}
