import * as z from "zod";
import { isOpenStatus, isOwnId, isShortText } from "../http/texts.ts";

/*
 * Airwallex's JSON (API version 2025-06-30). Names and types follow the models of its SDK, and tests compare them.
 * Unknown fields are dropped. A field that is optional in the SDK is required if the adapter needs it.
 */

/** An id that can be stored as the result of a step. */
const id = z.custom<string>((value) => isOwnId(value) && /^[\x21-\x7e]{1,256}$/.test(value));
const status = z.custom<string>(isOpenStatus);
const text = z.custom<string>(isShortText);

/** `Token` of the SDK. */
export const tokenAnswer = z.object({
  token: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
  expires_at: z.unknown().optional(),
});

/** `FileInformation` of the SDK. */
export const uploadedFile = z.object({ file_id: id });

/** `IssuingNonPciCardholderResponseDto` of the SDK. */
export const cardholder = z.object({
  cardholder_id: id,
  status,
  email: z.string(),
  type: z.string().optional(),
  mobile_number: z.string().optional(),
  individual: z
    .object({
      date_of_birth: z.string(),
      name: z.object({ first_name: z.string(), last_name: z.string() }),
    })
    .optional(),
});
export type Cardholder = z.output<typeof cardholder>;

/** `IssuingNonPciQueryResultOfIssuingNonPciCardholderResponseDto` of the SDK. */
export const cardholderPage = z.object({ has_more: z.boolean(), items: z.array(cardholder) });

/** `IssuingNonPciCardSummaryDto` of the SDK; `IssuingNonPciCardDto` has the same fields and more. */
export const card = z.object({
  card_id: id,
  card_status: status,
  cardholder_id: text.optional(),
  additional_cardholder_ids: z.array(z.string()).optional(),
  card_number: z.unknown().optional(),
  brand: z.unknown().optional(),
  created_at: z.unknown().optional(),
});
export type WireCard = z.output<typeof card>;

/** `IssuingNonPciQueryResultOfIssuingNonPciCardSummaryDto` of the SDK. */
export const cardPage = z.object({ has_more: z.boolean(), items: z.array(card) });

/** `IssuingNonPciErrorResponse` of the SDK. Only the code and the source are read. */
export const errorAnswer = z.object({ code: z.string(), source: z.unknown().optional() });

/** An id of an RFI or a question. It is a part of our id of the request, which has 256 characters. */
const shortId = z.custom<string>((value) => isOwnId(value) && /^[\w-]{1,100}$/.test(value));
const absent = <S extends z.ZodType>(shape: S) => shape.nullish().transform((value) => value ?? undefined);
const listOf = <S extends z.ZodType>(shape: S) =>
  z
    .array(shape)
    .nullish()
    .transform((list) => list ?? []);

/** A time as the milliseconds since 1970. */
const time = z
  .string()
  .transform((text) => Date.parse(withColon(text)))
  .refine(Number.isFinite);

/** `RfiRequestDto` of the SDK. Titles, descriptions and comments are texts of Airwallex: they are not read. */
const rfiRound = z.object({
  created_at: time,
  updated_at: absent(time),
  expires_at: absent(time),
  questions: listOf(
    z.object({
      id: shortId,
      key: absent(z.string()),
      answer: absent(z.object({ type: absent(z.string()) })),
      sources: listOf(z.object({ id: absent(z.string()), type: absent(z.string()) })),
    }),
  ),
});
export type RfiRound = z.output<typeof rfiRound>;

/** `RfiSessionDto` of the SDK. */
export const rfi = z.object({
  id: shortId,
  status,
  type: absent(z.string()),
  active_request: absent(rfiRound),
  answered_requests: listOf(rfiRound),
});
export type Rfi = z.output<typeof rfi>;

/** `PagedRfiSessionQueryResultDto` of the SDK. Each RFI is parsed alone: it may be about another user. */
export const rfiPage = z.object({
  items: listOf(z.unknown()),
  page_after: absent(z.string().min(1)),
});

/** An event about an RFI has its id alone. */
export const rfiEvent = z.object({ data: z.object({ id: shortId }) });

/** Airwallex's times have the offset +0000 or Z. */
export const withColon = (time: string) => time.replace(/([+-]\d\d)(\d\d)$/, "$1:$2");

/** An event. Only the cardholder's id is read, because events have no order: the adapter queries the state. */
export const anyEvent = z.object({ name: z.string() });
export const cardholderEvent = z.object({ data: z.object({ cardholder_id: id }) });

/**
 * The fields of `IssuingNonPciNewCardholderRequestDto` of the SDK by which an existing cardholder is compared. The whole
 * request follows the table in fields.ts; the fake compares it with the SDK's model.
 */
export interface NewCardholder {
  type: "INDIVIDUAL";
  email: string;
  mobile_number: string;
  individual: { name: { first_name: string; last_name: string }; date_of_birth: string };
}
