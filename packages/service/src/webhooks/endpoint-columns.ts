import type { WebhookEndpoint } from "@cardbridge/domain";
import { and, eq, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { webhookEndpoints } from "../database/schema.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { decryptTarget, type EncryptedTarget } from "./encrypted-target.ts";

/** The encrypted columns. Typed as non-null: only a deleted endpoint has none. */
export const encryptedTarget = {
  encrypted: sql<Buffer>`${webhookEndpoints.encrypted}`,
  dataKey: sql<Buffer>`${webhookEndpoints.dataKey}`,
  keyVersion: sql<number>`${webhookEndpoints.keyVersion}`,
};

const shownOrNull = (expression: SQL) => shownMoment(expression) as SQL<string | null>;

/** The columns of the domain's WebhookEndpoint. `previousSecretUntil` is null after that time. */
export const endpointColumns = {
  endpointId: webhookEndpoints.id,
  eventTypes: webhookEndpoints.eventTypes,
  description: webhookEndpoints.description,
  enabled: sql<boolean>`${webhookEndpoints.disabledAt} is null`,
  disabledReason: webhookEndpoints.disabledReason,
  disabledAt: shownOrNull(sql`${webhookEndpoints.disabledAt}`),
  failingSince: shownOrNull(sql`${webhookEndpoints.failingSince}`),
  previousSecretUntil: shownOrNull(
    sql`case when ${webhookEndpoints.previousSecretUntil} > clock_timestamp() then ${webhookEndpoints.previousSecretUntil} end`,
  ),
  createdAt: shownMoment(sql`${webhookEndpoints.createdAt}`),
  ...encryptedTarget,
};

/** A row of `endpointColumns`. */
type EndpointRow = Omit<WebhookEndpoint, "url"> & EncryptedTarget;

/** Matches the endpoint unless it is deleted. */
export function isEndpoint(platformId: string | Placeholder, endpointId: string | Placeholder) {
  return and(
    eq(webhookEndpoints.platformId, platformId),
    eq(webhookEndpoints.id, endpointId),
    isNull(webhookEndpoints.deletedAt),
  );
}

/** @throws Failure SERVICE_UNAVAILABLE where the URL cannot be decrypted. */
export function toEndpoint(platformId: string, row: EndpointRow, ring: KeyRing): WebhookEndpoint {
  const { encrypted, dataKey, keyVersion, ...endpoint } = row;
  const { url } = decryptTarget({ encrypted, dataKey, keyVersion }, { platformId, ...endpoint }, ring);
  return { ...endpoint, url };
}
