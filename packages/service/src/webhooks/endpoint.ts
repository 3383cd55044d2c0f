import { type ErrorCode, Failure, type WebhookEndpoint } from "@cardbridge/domain";
import { and, asc, eq, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { webhookEndpoints } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { forPlatforms } from "../operation/actors.ts";
import type { Ports } from "../operation/ports.ts";
import { decryptTarget, type EncryptedTarget } from "./endpoint-key.ts";

/** Operations on a platform's webhooks: also for operators, whose calls name the platform. */
export const forWebhooks = {
  ...forPlatforms,
  documented: false,
  actors: ["platform", "internal", "operator"],
} as const;

/** The encrypted columns. Typed as non-null: only a deleted endpoint has none. */
export const encryptedTarget = {
  encrypted: sql<Buffer>`${webhookEndpoints.encrypted}`,
  dataKey: sql<Buffer>`${webhookEndpoints.dataKey}`,
  keyVersion: sql<number>`${webhookEndpoints.keyVersion}`,
};

export const shownOrNull = (expression: SQL) => shownMoment(expression) as SQL<string | null>;

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

/** Reads a platform's endpoints that are not deleted, oldest first. Throws as `Database.asPlatform`. */
export async function readEndpoints(
  { database, personalDataKeys }: Pick<Ports, "database" | "personalDataKeys">,
  platformId: string,
  condition?: SQL,
): Promise<WebhookEndpoint[]> {
  const { ring } = await personalDataKeys();
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

/** @throws Failure WEBHOOK_ENDPOINT_NOT_FOUND, or `code`, for a value that is missing. */
export function found<T>(value: T | null | undefined, code: ErrorCode = "WEBHOOK_ENDPOINT_NOT_FOUND"): T {
  if (value === null || value === undefined) throw new Failure(code);
  return value;
}

export const exampleEndpoint: WebhookEndpoint = {
  endpointId: "whe_01jexample0000000000000000",
  url: "https://hooks.example.com/cardbridge",
  eventTypes: ["kyc.updated", "card.updated"],
  description: "backend",
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  previousSecretUntil: null,
  createdAt: "2026-01-31T12:00:00.000Z",
};

/** The secret, shortened. */
export const exampleSecret = "whsec_MfKQ9r8G…";
