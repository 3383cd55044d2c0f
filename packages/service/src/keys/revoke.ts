import { Failure, keyFacts, keyReference } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleKey } from "./example.ts";

/** Revokes a key permanently. */
export const revokeKey = defineOperation({
  ...forOperators("ops.keys"),
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

  async run({ keys }, _call, { keyId }) {
    const revoked = await keys.revoke(keyId);
    if (!revoked) throw new Failure("KEY_NOT_FOUND");
    return { data: revoked, subject: keyId };
  },
});
