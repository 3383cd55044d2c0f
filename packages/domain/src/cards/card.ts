import * as z from "zod";
import { openEnum } from "../input/open-enum.ts";

/** Raw card statuses of the provider (interface, section 3); more may be added. */
export const cardStatus = openEnum(["active", "locked", "lost", "inactive"]);

/** What the fields of a card are written in, for the schema and for whoever reads a card by hand. */
export const cardForms = {
  last4: /^[0-9]{4}$/,
  currency: /^[A-Z]{3}$/,
  expiryMonth: { min: 1, max: 12 },
  expiryYear: { min: 2000, max: 2999 },
};

const wholeWithin = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max);

/**
 * A card record (interface, section 2.1; fields by gap G8). This is an allow-list: whatever else a
 * provider sends is dropped, so that a full card number or a CVV has no place to be.
 */
export const card = z
  .object({
    cardId: z.string().meta({ description: "The provider's id of the card." }),
    status: cardStatus.meta({
      description: "The provider's raw status. Tolerate values that you do not know.",
    }),
    memberId: z
      .string()
      .nullable()
      .meta({ description: "What the provider's own record carries; never copied from the request." }),
    cardAccountId: z.string().nullable().meta({ description: "The provider's id of the card account." }),
    type: z.string().nullable().meta({ description: "The provider's raw card type, such as virtual." }),
    network: z.string().nullable().meta({ description: "The card network, such as visa." }),
    last4: z
      .string()
      .regex(cardForms.last4)
      .nullable()
      .meta({ description: "The last four digits of the card number." }),
    expiryMonth: wholeWithin(cardForms.expiryMonth).nullable(),
    expiryYear: wholeWithin(cardForms.expiryYear).nullable(),
    nameOnCard: z.string().max(256).nullable(),
    currency: z.string().regex(cardForms.currency).nullable().meta({ description: "ISO 4217 code." }),
    createdAt: z.iso.datetime().nullable().meta({ description: "RFC 3339, in UTC." }),
  })
  .meta({ id: "Card", "x-decision": "G8" });

export type Card = z.output<typeof card>;
