import { z } from "zod";
import { currency, last4, wholeNumber, withoutControls } from "../common/vocabulary.js";

const name = z.string().min(1).max(64).regex(withoutControls);
const wholeUpTo = (max: number) => z.string().regex(wholeNumber).transform(Number).pipe(z.int().max(max));

export const cardsQuery = z
  .object({
    email: z.email().max(128).optional(),
    memberId: name.optional(),
    status: name.optional(),
    page: wholeUpTo(10_000).default(1),
    pageSize: wholeUpTo(100).default(20),
  })
  .refine(({ email, memberId }) => (email === undefined) !== (memberId === undefined), {
    path: ["email"],
    message: "Send either email or memberId.",
  });

export type CardsQuery = z.output<typeof cardsQuery>;

/** The fields of a card that callers are shown. */
export const card = z.object({
  cardId: z.string(),
  status: z.string(),
  memberId: z.string().nullable().default(null),
  cardAccountId: z.string().nullable().default(null),
  type: z.string().nullable().default(null),
  network: z.string().nullable().default(null),
  last4: z.string().regex(last4).nullable().default(null),
  expiryMonth: z.int().min(1).max(12).nullable().default(null),
  expiryYear: z.int().min(2000).max(2999).nullable().default(null),
  nameOnCard: z.string().max(256).nullable().default(null),
  currency: z.string().regex(currency).nullable().default(null),
  createdAt: z.iso.datetime().nullable().default(null),
});
