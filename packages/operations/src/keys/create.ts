import {
  createdKey,
  createKeyInput,
  expiresLater,
  keyBelongs,
  ownerOf,
  type Policies,
} from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleKey, exampleSecret } from "./example.ts";
import { requireOwnScopes } from "./own-scopes.ts";

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
      "different names. The key gets only those scopes of operators that the caller has.",
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
      requireOwnScopes(call, scopes);
      const { key, ...stored } = generateKey(ownerOf(platformId));
      const newKey = { keyId: ids.keyId(), name, scopes, expiresAt: expiresAt ?? null, ...stored };
      const facts = await keys.create(platformId, newKey);
      return { data: { key, ...facts }, subject: facts.keyId };
    },
  });
