import {
  Failure,
  maxWebhookEndpoints,
  type WebhookEndpoint,
  type WebhookEndpoints,
} from "@cardbridge/domain";
import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { requireRow } from "../require-row.ts";
import { platforms, webhookEndpoints } from "../schema.ts";
import { createDataKey } from "../sealing/data-key.ts";
import type { KeyGate } from "../sealing/key-gate.ts";
import { type WithCommit, withCommit } from "../transaction.ts";
import { endpointColumns, isEndpoint, toEndpoint } from "./endpoint-columns.ts";
import { wrapEndpointKey } from "./endpoint-key.ts";
import { sealTarget } from "./sealed-target.ts";

/** Creates and reads endpoints. The URL and the secrets are encrypted under each endpoint's own data key. */
export function endpoints(
  database: Database,
  keyGate: KeyGate,
): Pick<WebhookEndpoints, "create" | "list" | "find" | "delete"> {
  /** The platform's endpoints that are not deleted, oldest first. */
  async function read(platformId: string, condition?: SQL): Promise<WebhookEndpoint[]> {
    const { ring } = await keyGate();
    return database.asPlatform<WebhookEndpoint[]>(platformId, async (tx) => {
      const isKept = and(eq(webhookEndpoints.platformId, platformId), isNull(webhookEndpoints.deletedAt));
      const found = tx
        .select(endpointColumns)
        .from(webhookEndpoints)
        .where(and(isKept, condition))
        .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id));
      return withCommit([found], ([rows]) => rows.map((row) => toEndpoint(platformId, row, ring)));
    });
  }

  return {
    async create(platformId, { endpointId, url, secret, eventTypes, description }) {
      const { ring } = await keyGate();
      const endpoint = { platformId, endpointId };
      const dataKey = createDataKey();
      const values = {
        ...{ id: endpointId, platformId, description, eventTypes: [...eventTypes] },
        sealed: sealTarget({ url, secret, previousSecret: null }, dataKey, endpoint),
        ...wrapEndpointKey(dataKey, endpoint, ring),
      };
      return database.asPlatform(platformId, async (tx): Promise<WithCommit<WebhookEndpoint>> => {
        // Creations of one platform wait for each other, so that each counts the ones before it.
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
        return withCommit([created], ([rows]) =>
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
          .set({ deletedAt: sql`clock_timestamp()`, sealed: null, dataKey: null, keyVersion: null })
          .where(isEndpoint(platformId, endpointId))
          .returning({ id: webhookEndpoints.id });
        return withCommit([deleted], ([rows]) => rows.length > 0);
      }),
  };
}
