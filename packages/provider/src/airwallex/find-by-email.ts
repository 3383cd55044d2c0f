import type { ProviderReply } from "@cardbridge/domain";
import { invalidReply, type ReplyContext } from "../kyc/failed-reply.ts";
import { parseAnswer } from "./answers.ts";
import type { AirwallexClient } from "./client.ts";
import { isSameEmail } from "./same-cardholder.ts";
import { type Cardholder, cardholderPage } from "./wire.ts";

interface Options {
  client: Pick<AirwallexClient, "read">;
  context: ReplyContext;
  ms: number;
}

export const cardholdersPath = "/api/v1/issuing/cardholders";

/**
 * Finds the cardholder with an e-mail address, unless it is deleted. The address is unique in an account (docs "Error
 * codes"). A response with other addresses or more pages means that the filter did not apply, so it is invalid.
 */
export async function findByEmail(
  email: string,
  { client, context, ms }: Options,
): Promise<{ found: Cardholder | undefined } | { failed: ProviderReply }> {
  const query = new URLSearchParams({ email, page_num: "0", page_size: "10" });
  const result = await client.read("kyc", `${cardholdersPath}?${query}`, { ms });
  const parsed = parseAnswer(result, cardholderPage, context);
  if ("failed" in parsed) return parsed;
  const { has_more, items } = parsed.data;
  if (has_more || items.some((item) => !isSameEmail(item.email, email))) {
    return { failed: invalidReply("mismatched", context) };
  }
  const present = items.filter(({ status }) => status !== "DELETED");
  if (present.length > 1) return { failed: invalidReply("mismatched", { ...context, failed: "unknown" }) };
  return { found: present[0] };
}
