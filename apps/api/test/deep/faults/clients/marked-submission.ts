import { exampleSubmission } from "@cardbridge/service";
import type { inferRouterInputs } from "@trpc/server";
import type { AppRouter } from "../../../../src/trpc/router.ts";
import { digestsOf, encodingsOf } from "../../../support/encodings.ts";

export type Submission = inferRouterInputs<AppRouter>["kyc"]["submit"];

/**
 * A submission whose personal fields all contain a mark, so that a leak is found; `tag` selects the sandbox's scenario.
 */
export function markedSubmission(mark: string, tag: string): Submission {
  const image = (name: string) => `https://files.example.com/${name}-${mark}.jpg`;
  return {
    ...exampleSubmission.input,
    memberId: `MEMBER-${mark}`,
    email: `Mail.${mark}+${tag}@example.com`,
    name: `Name ${mark}`,
    // A date that occurs nowhere else.
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

/** The values that only this submission has: no log of the service may contain them. */
export function personalData(submission: Submission): string[] {
  const example = new Set(textsOf(exampleSubmission.input));
  return textsOf(submission).filter((text) => !example.has(text));
}

/** The member id as text, encoded and hashed. The provider must receive none of these forms. */
export function formsOfMemberId(memberId: string): string[] {
  return [...encodingsOf(memberId), ...digestsOf(memberId)];
}

function textsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.values(value).flatMap(textsOf);
}
