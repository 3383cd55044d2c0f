import {
  expiresLater,
  type Policies,
  type RotatedKey,
  rotatedKey,
  rotateKeyInput,
  type Scope,
} from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import type { Call } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleKey, exampleSecret, selectKey } from "./key.ts";
import {
  findLive,
  grantedScopes,
  insertKey,
  keyConflict,
  limitedExpiry,
  lockKeys,
  refusedScopes,
} from "./new-key.ts";

/** Creates the successor of a key. Both work during the overlap. */
export const rotateKey = ({ now }: Policies) =>
  defineOperation({
    ...forOperators("ops.keys"),
    reach: "owner",
    recentSignIn: true,
    id: "keys.rotate",
    kind: "write",
    summary: "Rotate an API key",
    description:
      "Creates a successor with the key's name and scopes and returns it only once. The old key expires after the " +
      "overlap, 24 hours by default. At most two live keys share a name.",
    input: rotateKeyInput,
    rules: [expiresLater(now)],
    output: rotatedKey,
    example: {
      input: { keyId: exampleKey.keyId },
      output: {
        ...exampleKey,
        keyId: "key_01jexample0000000000000001",
        key: exampleSecret,
        predecessor: { ...exampleKey, expiresAt: "2026-02-01T12:00:00.000Z" },
      },
    },
    errors: ["KEY_NOT_FOUND", "KEY_CONFLICT"],
    audit: ["done", "KEY_NOT_FOUND", "KEY_CONFLICT", "SCOPE_MISSING"],

    async run(ports, call, { keyId, overlapHours, expiresAt }) {
      const data = await ports.database.asPlatform<RotatedKey>(call.platformId, async (tx) => {
        await lockKeys(tx, call.platformId);
        const old = requireRow(await selectKey(tx, keyId), "API key");
        const { name } = old;
        const scopes = scopesOfSuccessor(call, old.scopes);
        const expiry = limitedExpiry(call, expiresAt, now(), old.expiresAt === null ? null : undefined);
        const live = await findLive(tx, name);
        if (!live.includes(keyId)) throw keyConflict("keyId", "The key is not live: create a new one.");
        if (live.length > 1) {
          throw keyConflict("keyId", "Two live keys have its name: revoke one, or wait until one expires.");
        }
        const successor = { name, scopes, expiresAt: expiry };
        const { key, inserted } = insertKey(ports, tx, call, successor);
        const overlap = sql`${overlapHours} * interval '1 hour'`;
        const retired = tx.execute(sql`select retire_api_key(${keyId}, ${overlap})`);
        return pipelineCommit([inserted, retired, selectKey(tx, keyId)], ([created, , rows]) => ({
          key,
          ...requireRow(created, "API key"),
          predecessor: requireRow(rows, "API key"),
        }));
      });
      return { data, subject: keyId };
    },
  });

/** The scopes of a key's successor. One that needs a person would fail in an app that sends none. */
function scopesOfSuccessor(call: Call, old: readonly Scope[]): Scope[] {
  const scopes = grantedScopes(call, old);
  if (scopes.length === old.length) return scopes;
  throw refusedScopes("Only the command line rotates a key of an internal app that needs no person.");
}
