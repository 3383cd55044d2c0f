import {
  Failure,
  maxWebhookEndpoints,
  type WebhookEndpoint,
  type WebhookEndpoints,
} from "@cardbridge/domain";
import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { requireRow } from "../database/require-row.ts";
import { platforms, webhookEndpoints } from "../database/schema.ts";
import { type PipelinedCommit, pipelineCommit } from "../database/statements.ts";
import { createDataKey } from "../encryption/data-key.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";
import { encryptTarget } from "./encrypted-target.ts";
import { endpointColumns, isEndpoint, toEndpoint } from "./endpoint-columns.ts";
import { wrapEndpointKey } from "./endpoint-key.ts";

/** Creates and reads endpoints. The URL and the secrets are encrypted under each endpoint's own data key. */
export function endpoints(
  database: Database,
  verifiedKeys: VerifiedKeys,
): Pick<WebhookEndpoints, "create" | "list" | "find" | "delete"> {
  /** The platform's endpoints that are not deleted, oldest first. */
  async function read(platformId: string, condition?: SQL): Promise<WebhookEndpoint[]> {
    const { ring } = await verifiedKeys();
    return database.asPlatform<WebhookEndpoint[]>(platformId, async (tx) => {
      const isKept = and(eq(webhookEndpoints.platformId, platformId), isNull(webhookEndpoints.deletedAt));
      const found = tx
        .select(endpointColumns)
        .from(webhookEndpoints)
        .where(and(isKept, condition))
        .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id));
      return pipelineCommit([found], ([rows]) => rows.map((row) => toEndpoint(platformId, row, ring)));
    });
  }

  return {
    async create(platformId, { endpointId, url, secret, eventTypes, description }) {
      const { ring } = await verifiedKeys();
      const endpoint = { platformId, endpointId };
      const dataKey = createDataKey();
      const values = {
        id: endpointId,
        platformId,
        description,
        eventTypes: [...eventTypes],
        encrypted: encryptTarget({ url, secret, previousSecret: null }, dataKey, endpoint),
        ...wrapEndpointKey(dataKey, endpoint, ring),
      };
      return database.asPlatform(platformId, async (tx): Promise<PipelinedCommit<WebhookEndpoint>> => {
        // Creations on one platform wait for each other, so that each counts the endpoints created before it.
        const isPlatform = eq(platforms.id, platformId);
        const [, existing] = await Promise.all([
          tx.select({ id: platforms.id }).from(platforms).where(isPlatform).for("no key update"),
          tx
            .select({ id: webhookEndpoints.id })
            .from(webhookEndpoints)
            .where(and(eq(webhookEndpoints.platformId, platformId), isNull(webhookEndpoints.deletedAt))),
        ]);
        if (existing.length >= maxWebhookEndpoints) throw new Failure("WEBHOOK_ENDPOINT_LIMIT");
        const created = tx.insert(webhookEndpoints).values(values).returning(endpointColumns);
        return pipelineCommit([created], ([rows]) =>
          toEndpoint(platformId, requireRow(rows, "webhook endpoint"), ring),
        );
      });
    },

    list: (platformId) => read(platformId),

    async find(platformId, endpointId) {
      const [found] = await read(platformId, eq(webhookEndpoints.id, endpointId));
      return found ?? null;
    },

    // A worker deletes the deliveries later: there may be too many for one transaction.
    delete: (platformId, endpointId) =>
      database.asPlatform<boolean>(platformId, async (tx) => {
        const deleted = tx
          .update(webhookEndpoints)
          .set({ deletedAt: sql`clock_timestamp()`, encrypted: null, dataKey: null, keyVersion: null })
          .where(isEndpoint(platformId, endpointId))
          .returning({ id: webhookEndpoints.id });
        return pipelineCommit([deleted], ([rows]) => rows.length > 0);
      }),
  };
}
