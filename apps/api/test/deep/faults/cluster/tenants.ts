import { internalPlatformId, platformScope, type Scope } from "@cardbridge/domain";
import { generateKey } from "../../../support/generate-key.ts";
import { operatorScopes } from "../../../support/operator-scopes.ts";
import type { AdminConnection } from "./admin-connection.ts";

/** Creates a platform with a key of every scope; returns the key. The schema can be that of another version. */
export async function createPlatform(admin: AdminConnection, id: string): Promise<string> {
  await admin.query("insert into platforms (id, name) values ($1, $1)", [id]);
  return createKey(admin, id, generateKey("platform"), platformScope.options);
}

/** Creates the key of an internal app that administers platforms and keys; returns the key. */
export function createAdminKey(admin: AdminConnection): Promise<string> {
  return createKey(admin, internalPlatformId, generateKey("internal"), [...operatorScopes, "cards:read"]);
}

async function createKey(
  { query }: AdminConnection,
  platformId: string,
  { key, prefix, hash }: ReturnType<typeof generateKey>,
  scopes: readonly Scope[],
): Promise<string> {
  await query(
    "insert into api_keys (id, platform_id, name, scopes, prefix, hash) values ($1, $2, 'faults', $3, $4, $5)",
    [`key_${platformId}`, platformId, scopes, prefix, hash],
  );
  return key;
}
