import type { WebhookEndpoint } from "@cardbridge/domain";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { requireRow } from "../database/require-row.ts";
import { webhookEndpoints } from "../database/schema.ts";
import { type PipelinedCommit, pipelineCommit } from "../database/statements.ts";
import type { Ports } from "../operation/ports.ts";
import { encryptedTarget, endpointColumns, found, isEndpoint, toEndpoint } from "./endpoint.ts";
import {
  decryptTarget,
  type EndpointRef,
  encryptTarget,
  type Target,
  unwrapEndpointKey,
} from "./endpoint-key.ts";

export type EndpointColumns = PgUpdateSetSource<typeof webhookEndpoints>;

/**
 * Locks an endpoint, then changes its target and its columns.
 * @throws Failure WEBHOOK_ENDPOINT_NOT_FOUND.
 */
export async function changeEndpoint(
  { database, personalDataKeys }: Pick<Ports, "database" | "personalDataKeys">,
  endpoint: EndpointRef,
  { columns, target }: { columns: EndpointColumns; target(current: Target): Target },
): Promise<WebhookEndpoint> {
  const { ring } = await personalDataKeys();
  const { platformId, endpointId } = endpoint;
  type Changed = PipelinedCommit<WebhookEndpoint> | null;
  const changed = await database.asPlatform(platformId, async (tx): Promise<Changed> => {
    const [current] = await tx
      .select(encryptedTarget)
      .from(webhookEndpoints)
      .where(isEndpoint(platformId, endpointId))
      .for("no key update");
    if (!current) return null;
    const dataKey = unwrapEndpointKey(current, endpoint, ring);
    const encrypted = encryptTarget(target(decryptTarget(current, endpoint, ring)), dataKey, endpoint);
    const updated = tx
      .update(webhookEndpoints)
      .set({ ...columns, encrypted })
      .where(isEndpoint(platformId, endpointId))
      .returning(endpointColumns);
    return pipelineCommit([updated], ([rows]) =>
      toEndpoint(platformId, requireRow(rows, "webhook endpoint"), ring),
    );
  });
  return found(changed);
}
