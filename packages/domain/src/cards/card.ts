import * as z from "zod";
import { openEnum } from "../input/open-enum.ts";

/** The provider's raw card statuses (interface, section 3). The provider may add more. */
export const cardStatus = openEnum(["active", "locked", "lost", "inactive"]);

/** The formats of card fields, for the schema and for adapters that parse field by field. */
export const cardFormats = {
  last4: /^[0-9]{4}$/,
  currency: /^[A-Z]{3}$/,
  expiryMonth: { min: 1, max: 12 },
  expiryYear: { min: 2000, max: 2999 },
};

const integerWithin = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max);

/**
 * A card record (interface, section 2.1, and G8). This is an allow-list: any other field of the provider
 * is dropped, so that no full card number or CVV can pass.
 */
export const card = z
  .object({
    cardId: z.string().meta({ description: "The provider's card id." }),
    status: cardStatus.meta({
      description: "The provider's raw status. Tolerate unknown values.",
    }),
    memberId: z
      .string()
      .nullable()
      .meta({ description: "The memberId in the provider's card record; never copied from the request." }),
    cardAccountId: z.string().nullable().meta({ description: "The provider's card account id." }),
    type: z.string().nullable().meta({ description: "The provider's raw card type, such as virtual." }),
    network: z.string().nullable().meta({ description: "The card network, such as visa." }),
    last4: z
      .string()
      .regex(cardFormats.last4)
      .max(4)
      .nullable()
      .meta({ description: "The last four digits of the card number." }),
    expiryMonth: integerWithin(cardFormats.expiryMonth)
      .meta({ description: "The month of the card's expiry date." })
      .nullable(),
    expiryYear: integerWithin(cardFormats.expiryYear)
      .meta({ description: "The year of the card's expiry date." })
      .nullable(),
    nameOnCard: z.string().max(256).meta({ description: "The cardholder's name on the card." }).nullable(),
    currency: z
      .string()
      .regex(cardFormats.currency)
      .max(3)
      .nullable()
      .meta({ description: "ISO 4217 code." }),
    createdAt: z.iso.datetime().nullable().meta({ description: "RFC 3339, in UTC." }),
  })
  .meta({ id: "Card" });

export type Card = z.output<typeof card>;
