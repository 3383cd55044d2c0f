import {
  expiresLater,
  Failure,
  ownerOf,
  type Policies,
  rotatedKey,
  rotateKeyInput,
} from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { actorOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleKey, exampleSecret } from "./example.ts";
import { limitedExpiry } from "./expiry.ts";
import { scopesOfSuccessor } from "./own-scopes.ts";

/** Creates the successor of a key. Both work during the overlap. */
export const rotateKey = ({ now }: Policies) =>
  defineOperation({
    ...forOperators("ops.keys"),
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

    async run({ ids, keys, generateKey }, call, { keyId, overlapHours, expiresAt }) {
      const old = await keys.show(keyId);
      if (!old) throw new Failure("KEY_NOT_FOUND");
      const { platformId, name } = old;
      const scopes = scopesOfSuccessor(call, platformId, old.scopes);
      const expiry = limitedExpiry(call, platformId, expiresAt, now());
      if (old.expiresAt !== null && expiry === undefined) throw missingExpiry();
      const { key, ...stored } = generateKey(ownerOf(platformId));
      const newKey = {
        keyId: ids.keyId(),
        name,
        scopes,
        expiresAt: expiry ?? null,
        createdBy: actorOf(call),
        ...stored,
      };
      const { successor, predecessor } = await keys.rotate(keyId, newKey, overlapHours);
      return { data: { key, ...successor, predecessor }, subject: keyId };
    },
  });

/** A successor without an expiry must be an explicit choice if the key itself expires. */
function missingExpiry(): Failure {
  const message = "The key expires. Send the expiry of its successor, or null for never.";
  return new Failure("INVALID_INPUT", {
    violations: [{ path: ["expiresAt"], rule: "successor-expiry", message }],
  });
}
