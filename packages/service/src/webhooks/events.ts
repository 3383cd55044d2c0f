import type {
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEndpoints,
  WebhookPayload,
} from "@cardbridge/domain";
import { eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { webhookDeliveries } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { newEventId, repeatedEventId } from "./event-id.ts";
import { selectDeliveries } from "./read-deliveries.ts";

/** Writes test and card events. A trigger of kyc_history writes the events of KYC changes. */
export function otherEvents(
  database: Database,
): Pick<WebhookEndpoints, "test"> & Pick<WebhookDeliveries, "cardUpdated"> {
  return {
    test: (platformId, endpointId) =>
      database.asPlatform<WebhookDelivery | null>(platformId, async (tx) => {
        const id = newEventId();
        const written = writeEvent(tx, { id, type: "webhook.test", data: { endpointId }, only: endpointId });
        const found = selectDeliveries(tx, platformId, eq(webhookDeliveries.eventId, id));
        return pipelineCommit([written, found], ([, [delivery]]) => delivery ?? null);
      }),

    async cardUpdated(data, providerEventId) {
      const platformId = await findPlatform(database, data.externalUserId);
      if (platformId === undefined) return false;
      const id = repeatedEventId(platformId, providerEventId);
      return database.asPlatform<boolean>(platformId, async (tx) =>
        pipelineCommit([writeEvent(tx, { id, type: "card.updated", data, only: null })], () => true),
      );
    },
  };
}

interface OtherEvent extends Pick<WebhookPayload, "type" | "data"> {
  id: string;
  /** The only endpoint that receives it; null for all subscribed endpoints. */
  only: string | null;
}

function writeEvent(tx: Tx, { id, type, data, only }: OtherEvent): Promise<unknown> {
  return tx.execute(
    sql`select write_webhook_event(${id}, ${type}, null, null, null, ${JSON.stringify(data)}::jsonb, ${only})`,
  );
}

/** The platform of a user, when the caller does not know it yet. */
async function findPlatform(database: Database, externalUserId: string): Promise<string | undefined> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ id: string | null }>(sql`select platform_of_user(${externalUserId}) as id`),
  );
  return rows[0]?.id ?? undefined;
}
