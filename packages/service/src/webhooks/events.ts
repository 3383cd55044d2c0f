import { createHash, randomBytes } from "node:crypto";
import type { CardUpdated, WebhookPayload } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { platformOf } from "../operation/platform-of.ts";
import type { Ports } from "../operation/ports.ts";

interface OtherEvent extends Pick<WebhookPayload, "type" | "data"> {
  id: string;
  /** The only endpoint that receives it; null for all subscribed endpoints. */
  only: string | null;
}

/** Writes a test or a card event. A trigger of kyc_history writes the events of KYC changes. */
export function writeEvent(tx: Tx, { id, type, data, only }: OtherEvent): Promise<unknown> {
  return tx.execute(
    sql`select write_webhook_event(${id}, ${type}, null, null, null, ${JSON.stringify(data)}::jsonb, ${only})`,
  );
}

/** Creates an event id that is ordered by time, in the format of the SQL function webhook_id. */
export function newEventId(): string {
  return `msg_${Date.now().toString(16).padStart(12, "0")}${randomBytes(7).toString("hex")}`;
}

/** The id of an event that repeats an event of the provider: the same provider id always results in the same id. */
function repeatedEventId(platformId: string, providerEventId: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([platformId, providerEventId]))
    .digest("hex");
  return `msg_${hash.slice(0, 26)}`;
}

/**
 * Writes a `card.updated` event for the user's platform, once per id of a provider event; false if no platform has this
 * user. Throws as `Database.asPlatform`.
 */
export async function writeCardUpdated(
  { database }: Pick<Ports, "database">,
  data: CardUpdated,
  providerEventId: string,
): Promise<boolean> {
  const platformId = await platformOf(database, "user", data.externalUserId);
  if (platformId === null) return false;
  const id = repeatedEventId(platformId, providerEventId);
  return database.asPlatform<boolean>(platformId, async (tx) =>
    pipelineCommit([writeEvent(tx, { id, type: "card.updated", data, only: null })], () => true),
  );
}
