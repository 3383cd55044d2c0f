import { type KeyFacts, keyFacts, keyReference } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleKey, selectKey } from "./key.ts";

/** Revokes a key permanently. */
export const revokeKey = defineOperation({
  ...forOperators("ops.keys"),
  reach: "owner",
  urgent: true,
  id: "keys.revoke",
  kind: "write",
  summary: "Revoke an API key",
  description: "Revokes a key permanently. Every process of the service rejects it within a second.",
  input: keyReference,
  rules: [],
  output: keyFacts,
  example: {
    input: { keyId: exampleKey.keyId },
    output: { ...exampleKey, state: "revoked", revokedAt: "2026-02-01T12:00:00.000Z" },
  },
  errors: ["KEY_NOT_FOUND"],
  audit: ["done", "KEY_NOT_FOUND"],

  async run({ database }, { platformId }, { keyId }) {
    const data = await database.asPlatform<KeyFacts>(platformId, async (tx) => {
      const revoked = tx.execute(sql`select revoke_api_key(${keyId})`);
      return pipelineCommit([revoked, selectKey(tx, keyId)], ([, rows]) => requireRow(rows, "API key"));
    });
    return { data, subject: keyId };
  },
});
