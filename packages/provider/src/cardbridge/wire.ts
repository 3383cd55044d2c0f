import { isRecord } from "@cardbridge/domain";
import * as z from "zod";
import type { CardFields } from "../cards/card-mapper.ts";
import { isOpenStatus, isOwnId, isShortText } from "../http/texts.ts";

/*
 * The provider's JSON (docs/contribute/provider-contract.md). Unknown fields are dropped. Optional fields of a card are `unknown`
 * here, and the mapper validates them. A card number in a required field makes the whole response invalid.
 */

export const id = z.custom<string>(isShortText);
export const openStatus = z.custom<string>(isOpenStatus);

/** Why the provider declined a submission. The mapper validates it: an invalid reason must not reject the verdict. */
const why = { reasons: z.unknown().optional(), final: z.unknown().optional() };
export type WireWhy = z.output<z.ZodObject<typeof why>>;

export const kycState = z.object({
  reference: z.string(),
  userReference: z.string(),
  status: openStatus,
  cardAccountId: id.nullish(),
  revision: z.int().min(0),
  /** The mapper validates them: an invalid request must not reject the verdict. */
  requests: z.unknown().optional(),
  ...why,
});

const ofAnswer = { reference: z.string(), userReference: z.string(), requestId: z.string() };

export const answerAccepted = z.object({ ...ofAnswer, answerReference: z.string() });
export type WireAnswer = z.output<typeof answerAccepted>;

export const answerRefusal = z.object({
  ...ofAnswer,
  reasons: z.unknown().optional(),
  error: z.object({ code: z.literal("answer_refused") }),
});

export const actResult = z.object({ key: z.string(), act: z.string(), cardId: id.nullish() });

/** Why an act failed. `reason` is present for act_conflict. */
export const actError = z.object({
  reason: z.unknown().optional(),
  error: z.object({ code: z.string() }),
});

/** The status of an execution and its order, as in the state. */
export const executionsPage = z.object({
  items: z.array(
    kycState.extend({
      reference: id,
      userReference: id,
      fingerprint: id.nullish(),
      executedAt: z.iso.datetime({ offset: true }),
    }),
  ),
  nextCursor: id.nullish(),
});

export const refusal = z.object({
  reference: z.string(),
  userReference: z.string(),
  error: z.object({ code: z.literal("kyc_refused") }),
  ...why,
});

export const notFound = z.object({
  reference: z.string(),
  error: z.object({ code: z.literal("not_found") }),
});

export const userNotFound = z.object({
  error: z.object({ code: z.literal("user_not_found") }),
});

export const cardNotFound = z.object({
  cardId: z.string(),
  error: z.object({ code: z.literal("card_not_found") }),
});

/** A card with validated required fields. */
export type WireCard = CardFields & { userReference: string };

/** Validates without zod: parsing each card with a schema took longer than the rest of a list call. */
function isCard(value: unknown): value is WireCard {
  if (!isRecord(value)) return false;
  const { userReference, cardId, status } = value;
  return typeof userReference === "string" && isOwnId(cardId) && isOpenStatus(status);
}

/** A single card. Its owner is looked up, so the owner must be a text that a database can compare. */
export const ownedCard = z.custom<WireCard>((value) => isCard(value) && isShortText(value.userReference));

export const cardsPage = z.object({
  userReference: z.string(),
  page: z.int(),
  pageSize: z.int(),
  total: z.int().min(0),
  items: z.array(z.custom<WireCard>(isCard)),
});
export type CardsPage = z.output<typeof cardsPage>;

export type WireKycState = z.output<typeof kycState>;
