import { kycSubmission } from "@cardbridge/domain";
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
    ...markedTexts(mark),
    // Clients also send it as an Idempotency-Key, which has no spaces.
    memberId: `MEMBER-${mark}`,
    email: `Mail.${mark}+${tag}@example.com`,
    // A date that occurs nowhere else.
    birthday: "1931-07-19",
    documentExpiryDate: "2047-08-23",
    phoneNumber: String(BigInt(`0x${mark}`))
      .padStart(8, "0")
      .slice(-12),
    frontImageUrl: image("front"),
    backImageUrl: image("back"),
    selfieImageUrl: image("selfie"),
    supportingDocuments: [{ documentType: "BANK_STATEMENT", fileUrl: image("statement") }],
  };
}

/** Every field that accepts any text, with the mark: names, numbers of documents, addresses. */
function markedTexts(mark: string): object {
  const texts = Object.entries(kycSubmission.shape).flatMap(([field, schema]) => {
    const text = `${field} ${mark}`;
    return schema.safeParse(text).success ? [[field, text]] : [];
  });
  return Object.fromEntries(texts);
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
