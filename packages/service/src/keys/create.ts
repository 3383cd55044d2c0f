import {
  createdKey,
  createKeyInput,
  expiresLater,
  keyBelongs,
  ownerOf,
  type Policies,
} from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { actorOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleKey, exampleSecret } from "./example.ts";
import { limitedExpiry } from "./expiry.ts";
import { grantedScopes } from "./own-scopes.ts";

/** Creates a key for a platform or an internal app (gap G19). */
export const createKey = ({ now }: Policies) =>
  defineOperation({
    ...forOperators("ops.keys"),
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

    async run({ ids, keys, generateKey }, call, { platformId, name, scopes, expiresAt }) {
      const granted = grantedScopes(call, platformId, scopes);
      const expiry = limitedExpiry(call, platformId, expiresAt, now()) ?? null;
      const { key, ...stored } = generateKey(ownerOf(platformId));
      const facts = await keys.create(platformId, {
        keyId: ids.keyId(),
        name,
        scopes: granted,
        expiresAt: expiry,
        createdBy: actorOf(call),
        ...stored,
      });
      return { data: { key, ...facts }, subject: facts.keyId };
    },
  });
