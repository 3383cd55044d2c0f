import type { KycAnswer } from "@cardbridge/domain";
import { type AnswerContext, invalid, parseAnswer } from "./answers.ts";
import type { AirwallexClient } from "./client.ts";
import { isSameEmail } from "./same-cardholder.ts";
import { type Cardholder, cardholderPage } from "./wire.ts";

interface Options {
  client: Pick<AirwallexClient, "read">;
  context: AnswerContext;
  ms: number;
  /** Whether a failed look-up proves that there is no cardholder. */
  harmless: boolean;
}

export const cardholdersPath = "/api/v1/issuing/cardholders";

/**
 * Finds the cardholder of an e-mail address that is not deleted. An e-mail address is unique in an account (docs "Error
 * codes"). An answer with other addresses or more pages proves nothing, because the filter did not apply.
 */
export async function findByEmail(
  email: string,
  { client, context, ms, harmless }: Options,
): Promise<{ found: Cardholder | undefined } | { failed: KycAnswer }> {
  const query = new URLSearchParams({ email, page_num: "0", page_size: "10" });
  const result = await client.read("kyc", `${cardholdersPath}?${query}`, { ms });
  const parsed = parseAnswer(result, cardholderPage, context, { harmless });
  if ("failed" in parsed) return parsed;
  const { has_more, items } = parsed.data;
  if (has_more || items.some((item) => !isSameEmail(item.email, email))) {
    return { failed: invalid("foreign", context, { harmless }) };
  }
  const present = items.filter(({ status }) => status !== "DELETED");
  if (present.length > 1) return { failed: invalid("foreign", context) };
  return { found: present[0] };
}
