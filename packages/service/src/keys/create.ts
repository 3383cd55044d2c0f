import {
  type CreatedKey,
  createdKey,
  createKeyInput,
  expiresLater,
  keyBelongs,
  type Policies,
} from "@cardbridge/domain";
import { requireRow } from "../database/require-row.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleKey, exampleSecret } from "./key.ts";
import { findLive, grantedScopes, insertKey, keyConflict, limitedExpiry, lockKeys } from "./new-key.ts";

/** Creates a key for a platform or an internal app (gap G19). */
export const createKey = ({ now }: Policies) =>
  defineOperation({
    ...forOperators("ops.keys"),
    reach: "owner",
    recentSignIn: true,
    id: "keys.create",
    kind: "write",
    summary: "Create an API key",
    description:
      "Creates an API key of the service's environment and returns it only once. Live keys of a platform have " +
      "different names. The key gets only those scopes of operators that the caller has. A key of an internal app also " +
      "gets ops.persons, with which it needs a person at each call, and expires within 90 days; only the command line " +
      "makes others.",
    input: createKeyInput,
    rules: [keyBelongs, expiresLater(now)],
    output: createdKey,
    example: {
      input: { platformId: exampleKey.platformId, name: exampleKey.name, scopes: exampleKey.scopes },
      output: { ...exampleKey, key: exampleSecret },
    },
    errors: ["PLATFORM_NOT_FOUND", "KEY_CONFLICT"],
    audit: ["done", "PLATFORM_NOT_FOUND", "KEY_CONFLICT", "SCOPE_MISSING"],

    async run(ports, call, { name, scopes, expiresAt }) {
      const granted = grantedScopes(call, scopes);
      const expiry = limitedExpiry(call, expiresAt, now());
      const data = await ports.database.asPlatform<CreatedKey>(call.platformId, async (tx) => {
        await lockKeys(tx, call.platformId);
        if ((await findLive(tx, name)).length > 0) throw nameTaken();
        const { key, inserted } = insertKey(ports, tx, call, { name, scopes: granted, expiresAt: expiry });
        return pipelineCommit([inserted], ([rows]) => ({ key, ...requireRow(rows, "API key") }));
      });
      return { data, subject: data.keyId };
    },
  });

function nameTaken() {
  return keyConflict("name", "A live key of this platform has this name: rotate it, or choose another name.");
}
