import { z } from "zod";
import { card } from "./cards-schemas.js";

/** A page of cards as the provider answers it; what is not named here is dropped. */
export const providerPage = z.object({
  userReference: z.string(),
  page: z.int(),
  pageSize: z.int(),
  total: z.int().min(0),
  items: z.array(card.extend({ userReference: z.string() })),
});

/** The state of a submission. */
export const state = z.object({
  reference: z.string(),
  userReference: z.string(),
  status: z.string(),
  cardAccountId: z.string().nullable().default(null),
  revision: z.int(),
});

/** The one documented refusal. */
export const refusal = z.object({
  reference: z.string(),
  error: z.object({ code: z.literal("kyc_refused") }),
});
