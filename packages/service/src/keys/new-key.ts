/** What creating a key and rotating one share: what a caller may grant, and the live keys of a name. */
import {
  defaultKeyDays,
  Failure,
  isOperatorScope,
  type KeyFacts,
  maxInternalKeyDays,
  ownerOf,
  type Scope,
} from "@cardbridge/domain";
import { and, eq } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { apiKeys, keyColumns, platforms } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { actorOf, type Call, type OperationCall } from "../operation/call.ts";
import type { Ports } from "../operation/ports.ts";
import { keyFields } from "./key.ts";

/** The insertable columns of api_keys. Drizzle's insert lists every column of its table, granted or not. */
const newKeys = pgTable("api_keys", keyColumns());

/**
 * The scopes of a new key. A caller grants only those scopes of operators that it has, so that nobody gains rights by
 * making a key. A key of an internal app also gets ops.persons, with which it needs a person at each call, so that nobody
 * keeps rights after a block. The command line grants all and adds none: it is the way in when no key can (gaps G19, G37).
 * @throws Failure SCOPE_MISSING that names the scopes.
 */
export function grantedScopes(call: Call, requested: readonly Scope[]): Scope[] {
  if (call.kind === "operator") return [...requested];
  const added: Scope[] = ownerOf(call.platformId) === "internal" ? ["ops.persons"] : [];
  const scopes = [...new Set([...requested, ...added])];
  const missing = scopes.filter(
    (scope) => isOperatorScope(scope) && !added.includes(scope) && !call.scopes.has(scope),
  );
  if (missing.length === 0) return scopes;
  throw refusedScopes(
    `You can grant only the scopes of operators that you have yourself, not ${missing.join(", ")}.`,
  );
}

export function refusedScopes(message: string): Failure {
  return new Failure("SCOPE_MISSING", { violations: [{ path: ["scopes"], rule: "own-scopes", message }] });
}

/**
 * When a new key expires; null for never. A key of an internal app expires within 90 days, and by default after 90 days,
 * unless the command line makes it (gap G19).
 *
 * @param byDefault for other keys, if the caller does not say
 * @throws Failure INVALID_INPUT for a later expiry.
 */
export function limitedExpiry(
  call: Call,
  expiresAt: string | null | undefined,
  now: Date,
  byDefault: string | null = daysAfter(now, defaultKeyDays),
): string | null {
  if (call.kind === "operator" || ownerOf(call.platformId) === "platform")
    return expiresAt === undefined ? byDefault : expiresAt;
  const latest = daysAfter(now, maxInternalKeyDays);
  if (expiresAt === undefined) return latest;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.parse(latest)) return expiresAt;
  const message = `Send a date within ${maxInternalKeyDays} days. Only the command line makes a key of an internal app that lives longer.`;
  throw new Failure("INVALID_INPUT", {
    violations: [{ path: ["expiresAt"], rule: "internal-key-expiry", message }],
  });
}

const daysAfter = (now: Date, days: number): string =>
  new Date(now.getTime() + days * 86_400_000).toISOString();

/** Serializes changes of a platform's keys. */
export async function lockKeys(tx: Tx, platformId: string): Promise<void> {
  const found = await tx
    .select({ id: platforms.id })
    .from(platforms)
    .where(eq(platforms.id, platformId))
    .for("no key update");
  if (found.length === 0) throw new Failure("PLATFORM_NOT_FOUND");
}

/** The ids of a platform's live keys with this name. */
export async function findLive(tx: Tx, name: string): Promise<string[]> {
  const isLive = eq(keyFields.state, "live");
  const rows = await tx
    .select({ keyId: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.name, name), isLive));
  return rows.map(({ keyId }) => keyId);
}

/** Generates a key of the call's platform, and the statement that stores its hash. */
export function insertKey(
  { ids, generateKey }: Pick<Ports, "ids" | "generateKey">,
  tx: Tx,
  call: OperationCall,
  { name, scopes, expiresAt }: Pick<KeyFacts, "name" | "scopes" | "expiresAt">,
) {
  const { platformId } = call;
  const { key, prefix, hash } = generateKey(ownerOf(platformId));
  const expiry = expiresAt === null ? null : new Date(expiresAt);
  const row = { id: ids.keyId(), platformId, name, prefix, hash, scopes: [...scopes], expiresAt: expiry };
  const inserted = tx
    .insert(newKeys)
    .values({ ...row, createdBy: actorOf(call) })
    .returning(keyFields);
  return { key, inserted };
}

export function keyConflict(field: string, message: string): Failure {
  return new Failure("KEY_CONFLICT", { violations: [{ path: [field], rule: "live-keys", message }] });
}
