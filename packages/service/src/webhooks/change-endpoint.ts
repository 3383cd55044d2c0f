import type { WebhookEndpoint, WebhookEndpointChange, WebhookEndpoints } from "@cardbridge/domain";
import { type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Database } from "../database/database.ts";
import { requireRow } from "../database/require-row.ts";
import { webhookEndpoints } from "../database/schema.ts";
import { type PipelinedCommit, pipelineCommit } from "../database/statements.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";
import { decryptTarget, encryptTarget, type Target } from "./encrypted-target.ts";
import { encryptedTarget, endpointColumns, isEndpoint, toEndpoint } from "./endpoint-columns.ts";
import { unwrapEndpointKey } from "./endpoint-key.ts";
import { failPending } from "./fail-pending.ts";

type Columns = PgUpdateSetSource<typeof webhookEndpoints>;

/** Updates endpoints and rotates their secrets. */
export function endpointChanges(
  database: Database,
  verifiedKeys: VerifiedKeys,
): Pick<WebhookEndpoints, "update" | "rotateSecret"> {
  /** Locks an endpoint, then changes its target and its columns; null if the endpoint does not exist. */
  async function change(
    platformId: string,
    endpointId: string,
    { columns, target }: { columns: Columns; target(current: Target): Target },
  ): Promise<WebhookEndpoint | null> {
    const { ring } = await verifiedKeys();
    const endpoint = { platformId, endpointId };
    return database.asPlatform(platformId, async (tx): Promise<PipelinedCommit<WebhookEndpoint> | null> => {
      const [current] = await tx
        .select(encryptedTarget)
        .from(webhookEndpoints)
        .where(isEndpoint(platformId, endpointId))
        .for("no key update");
      if (!current) return null;
      const dataKey = unwrapEndpointKey(current, endpoint, ring);
      const encrypted = encryptTarget(target(decryptTarget(current, endpoint, ring)), dataKey, endpoint);
      const changed = tx
        .update(webhookEndpoints)
        .set({ ...columns, encrypted })
        .where(isEndpoint(platformId, endpointId))
        .returning(endpointColumns);
      return pipelineCommit([changed], ([rows]) =>
        toEndpoint(platformId, requireRow(rows, "webhook endpoint"), ring),
      );
    });
  }

  return {
    async update(platformId, endpointId, { url, ...given }) {
      const changed = await change(platformId, endpointId, {
        columns: columnsOf(given),
        target: (current) => ({ ...current, url: url ?? current.url }),
      });
      if (changed?.enabled === false) await failPending(database, { platformId, endpointId });
      return changed;
    },

    rotateSecret: (platformId, endpointId, secret, overlapHours) =>
      change(platformId, endpointId, {
        columns: { previousSecretUntil: sql`clock_timestamp() + ${`${overlapHours} hours`}::interval` },
        target: ({ url, secret: previous }) => ({
          url,
          secret,
          previousSecret: overlapHours > 0 ? previous : null,
        }),
      }),
  };
}

function columnsOf({ eventTypes, description, enabled }: Omit<WebhookEndpointChange, "url">): Columns {
  return {
    ...(eventTypes && { eventTypes: [...eventTypes] }),
    ...(description !== undefined && { description }),
    ...(enabled === true && enabledAnew),
    ...(enabled === false && requestedDisabling),
  };
}

/** Enabling an endpoint that is already enabled does not reset `failingSince`. */
const { disabledAt, disabledReason, failingSince } = webhookEndpoints;
const enabledAnew: Record<string, SQL | null> = {
  disabledAt: null,
  disabledReason: null,
  failingSince: sql`case when ${disabledAt} is null then ${failingSince} end`,
};

/** Disabling an endpoint that is already disabled does not change its reason. */
const requestedDisabling: Record<string, SQL> = {
  disabledAt: sql`coalesce(${disabledAt}, clock_timestamp())`,
  disabledReason: sql`coalesce(${disabledReason}, 'requested')`,
};
