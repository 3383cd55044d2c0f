import type { ProviderReply } from "@cardbridge/domain";
import { invalidReply, type ReplyContext } from "../kyc/failed-reply.ts";
import { parseAnswer } from "./answers.ts";
import type { AirwallexClient } from "./client.ts";
import { cardholdersPath } from "./find-by-email.ts";
import { toVerdict } from "./statuses.ts";
import { cardholder } from "./wire.ts";

interface Options {
  client: Pick<AirwallexClient, "read">;
  context: ReplyContext;
  /** The remaining time for the call, in milliseconds. */
  ms?: number;
}

/**
 * Queries a cardholder's current status. The reply is never `unsent` or `not-found`, because the cardholder was created: a
 * 404 means that the service uses another account or environment than before.
 */
export async function retrieve(id: string, { client, context, ms }: Options): Promise<ProviderReply> {
  const result = await client.read("kyc", `${cardholdersPath}/${encodeURIComponent(id)}`, {
    ...(ms !== undefined && { ms }),
  });
  const parsed = parseAnswer(result, cardholder, context);
  if ("failed" in parsed) return parsed.failed;
  return parsed.data.cardholder_id === id ? toVerdict(parsed.data) : invalidReply("mismatched", context);
}
