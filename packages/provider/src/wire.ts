import { z } from "zod";
import { holdsCardNumber, isCardNumber } from "./card-number.ts";

/*
 * The provider's JSON (docs/provider-contract.md). Fields that are not named here are tolerated and
 * dropped. What may be missing or malformed without spoiling a card is `unknown`: the mapper judges it.
 * Where a card number stands in what cannot be left out, the answer is none.
 */

/** A short text that can be stored and printed: no control characters, no lone surrogates. */
const text = (max: number) => z.string().regex(new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${max}}$`, "u"));

export const id = text(256);

/** A status of an open enumeration: a text of 1 to 64 characters. */
const openStatus = text(64).refine((status) => !holdsCardNumber(status));

export const kycState = z.object({
  reference: z.string(),
  userReference: z.string(),
  status: openStatus,
  cardAccountId: id.nullish(),
  revision: z.int().min(0),
});

export const refusal = z.object({
  reference: z.string(),
  userReference: z.string(),
  error: z.object({ code: z.literal("kyc_refused") }),
});

export const notFound = z.object({
  reference: z.string(),
  error: z.object({ code: z.literal("not_found") }),
});

export const userNotFound = z.object({
  error: z.object({ code: z.literal("user_not_found") }),
});

/** zod takes a missing key for a failure of `unknown` itself. */
const whatever = z.unknown().optional();

const card = z.object({
  userReference: z.string(),
  cardId: id.refine((cardId) => !isCardNumber(cardId)),
  status: openStatus,
  memberId: whatever,
  cardAccountId: whatever,
  type: whatever,
  network: whatever,
  last4: whatever,
  expiryMonth: whatever,
  expiryYear: whatever,
  nameOnCard: whatever,
  currency: whatever,
  createdAt: whatever,
});

export const cardsPage = z.object({
  userReference: z.string(),
  page: z.int(),
  pageSize: z.int(),
  total: z.int().min(0),
  items: z.array(card),
});

export type WireKycState = z.output<typeof kycState>;
export type WireCard = z.output<typeof card>;

/** The body of a submission. The platform's own member id has no place in it. */
export interface WireSubmission {
  userReference: string;
  applicant: {
    email: string;
    fullName: string;
    birthDate: string;
    gender: string;
    nationality: string;
    phone: { countryCode: string; number: string };
    address: string;
    annualIncome: string;
    occupation: string;
    position: string;
  };
  document: {
    type: string;
    number: string;
    country: string;
    expiryDate: string | null;
    permanentlyValid: boolean;
    frontImageUrl: string;
    backImageUrl: string | null;
    selfieImageUrl: string;
  };
  supportingDocuments: { type: string; fileUrl: string }[];
}
