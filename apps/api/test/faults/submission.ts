import { exampleSubmission } from "@cardbridge/operations";
import type { inferRouterInputs } from "@trpc/server";
import type { AppRouter } from "../../src/trpc/router.ts";
import { digestsOf, encodingsOf as plainFormsOf } from "../support/encodings.ts";

export type Submission = inferRouterInputs<AppRouter>["kyc"]["submit"];

/** A submission whose every personal field can be found again, wherever it leaks to; `tag` is the sandbox's. */
export function markedSubmission(mark: string, tag: string): Submission {
  const image = (name: string) => `https://files.example.com/${name}-${mark}.jpg`;
  return {
    ...exampleSubmission.input,
    memberId: `MEMBER-${mark}`,
    email: `Mail.${mark}+${tag}@example.com`,
    name: `Name ${mark}`,
    // Nobody who is at work on this was born then, and nothing else happens then.
    birthday: "1931-07-19",
    documentNumber: `DOC${mark}`,
    documentExpiryDate: "2047-08-23",
    phoneNumber: String(BigInt(`0x${mark}`))
      .padStart(8, "0")
      .slice(-12),
    occupation: `Occupation ${mark}`,
    position: `Position ${mark}`,
    contactAddress: `${mark} Street`,
    frontImageUrl: image("front"),
    backImageUrl: image("back"),
    selfieImageUrl: image("selfie"),
    supportingDocuments: [{ documentType: "BANK_STATEMENT", fileUrl: image("statement") }],
  };
}

/** What must not be found in a log of the service: all that `markedSubmission` made this submission's own. */
export function personalData(submission: Submission): string[] {
  const example = new Set(textsOf(exampleSubmission.input));
  return textsOf(submission).filter((text) => !example.has(text));
}

/** What must not be found in anything that the provider was sent: the member id, as it is or made into another form. */
export function formsOf(memberId: string): string[] {
  return [...plainFormsOf(memberId), ...digestsOf(memberId)];
}

function textsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.values(value).flatMap(textsOf);
}
