import * as z from "zod";

export const cardStatuses = [
  "PENDING",
  "FAILED",
  "INACTIVE",
  "ACTIVE",
  "LOST",
  "STOLEN",
  "CLOSED",
  "BLOCKED",
  "EXPIRED",
  "UNKNOWN",
] as const;

export type CardStatus = (typeof cardStatuses)[number];

/** A card as `GET /api/v1/issuing/cards/{id}` returns it. Times are timestamps with `+0000`. */
export interface Card {
  card_id: string;
  cardholder_id: string;
  /** All digits except the last four are masked. */
  card_number: string;
  card_status: CardStatus;
  brand: string;
  nick_name?: string | undefined;
  form_factor: "VIRTUAL" | "PHYSICAL";
  name_on_card: string;
  is_personalized: boolean;
  created_at: string;
  updated_at: string;
}

/** The body with which a test issues a card. */
export const issueSchema = z.strictObject({
  cardholder_id: z.string(),
  card_id: z.string().optional(),
  card_status: z.enum(cardStatuses).default("ACTIVE"),
  brand: z.string().default("VISA"),
  nick_name: z.string().optional(),
  form_factor: z.enum(["VIRTUAL", "PHYSICAL"]).default("VIRTUAL"),
  last_four: z
    .string()
    .regex(/^\d{4}$/)
    .default("4242"),
  /** `2026-05-12T00:00:00+0000`. Default: now. */
  created_at: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/)
    .optional(),
});

/** The fields of a card that lists contain. */
export function summary(card: Card): object {
  const { brand, card_id, card_number, card_status, cardholder_id, created_at, nick_name, updated_at } = card;
  return { brand, card_id, card_number, card_status, cardholder_id, created_at, nick_name, updated_at };
}
