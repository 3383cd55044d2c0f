import {
  createdKey,
  createKeyInput,
  expiresLater,
  Failure,
  internalPlatformId,
  type KeyFacts,
  keyBelongs,
  keyFacts,
  keyListQuery,
  keyPage,
  keyReference,
  kindOf,
  type Policies,
  rotatedKey,
  rotateKeyInput,
} from "@cardbridge/domain";
import { defineOperation } from "./operation.ts";
import type { AdminPorts } from "./ports.ts";

const example: KeyFacts = {
  keyId: "key_01jexample0000000000000000",
  platformId: "plt_01jexample0000000000000000",
  name: "backend",
  prefix: "cb_live_k3Yx",
  scopes: ["cards:read"],
  state: "live",
  createdAt: "2026-01-31T12:00:00.000Z",
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};
const exampleKey = "cb_live_k3Yx…";
const shared = { documented: false, scope: "admin" } as const;

/** Makes a key of a platform or of an internal app (gap G19). */
export const createKey = ({ now }: Policies) =>
  defineOperation({
    ...shared,
    id: "admin.keys.create",
    kind: "mutation",
    summary: "Make an API key",
    description: "Makes an API key and shows it this once. Of a platform's live keys none has the same name.",
    input: createKeyInput,
    rules: [keyBelongs, expiresLater(now)],
    output: createdKey,
    example: {
      input: { platformId: example.platformId, name: example.name, scopes: example.scopes },
      output: { ...example, key: exampleKey },
    },
    errors: ["PLATFORM_NOT_FOUND", "KEY_CONFLICT"],
    noted: { act: "key.create", outcomes: ["done", "PLATFORM_NOT_FOUND", "KEY_CONFLICT"] },

    async run({ ids, keys, mintKey }: AdminPorts, _call, { platformId, name, scopes, mode, expiresAt }) {
      const { key, ...kept } = mintKey(platformId === internalPlatformId ? "int" : (mode ?? "live"));
      const made = { keyId: ids.keyId(), name, scopes, expiresAt: expiresAt ?? null, ...kept };
      const facts = await keys.create(platformId, made);
      return { data: { key, ...facts }, subject: facts.keyId };
    },
  });

/** Lists the keys of one platform, or of all; never a key itself. */
export const listKeys = defineOperation({
  ...shared,
  id: "admin.keys.list",
  kind: "query",
  summary: "List the API keys",
  description:
    "Lists what is known of the keys of one platform, or of all: by platform and name, the newest first.",
  input: keyListQuery,
  rules: [],
  output: keyPage,
  example: { input: {}, output: { keys: [example], more: false } },
  errors: [],
  noted: null,

  async run({ keys }: AdminPorts, _call, { platformId, limit }) {
    // One more tells whether there are more.
    const found = await keys.list({ platformId, limit: limit + 1 });
    return { data: { keys: found.slice(0, limit), more: found.length > limit } };
  },
});

/** Makes the successor of a key, which itself works for a while longer. */
export const rotateKey = ({ now }: Policies) =>
  defineOperation({
    ...shared,
    id: "admin.keys.rotate",
    kind: "mutation",
    summary: "Rotate an API key",
    description:
      "Makes a key with the name and the scopes of another one and shows it this once. The other one expires " +
      "after the overlap, 24 hours where nothing else is said. Two live keys of a name are the most.",
    input: rotateKeyInput,
    rules: [expiresLater(now)],
    output: rotatedKey,
    example: {
      input: { keyId: example.keyId },
      output: {
        ...example,
        keyId: "key_01jexample0000000000000001",
        key: exampleKey,
        predecessor: { ...example, expiresAt: "2026-02-01T12:00:00.000Z" },
      },
    },
    errors: ["KEY_NOT_FOUND", "KEY_CONFLICT"],
    noted: { act: "key.rotate", outcomes: ["done", "KEY_NOT_FOUND", "KEY_CONFLICT"] },

    async run({ ids, keys, mintKey }: AdminPorts, _call, { keyId, overlapHours, expiresAt }) {
      const old = await keys.show(keyId);
      if (!old) throw new Failure("KEY_NOT_FOUND");
      if (old.expiresAt !== null && expiresAt === undefined) throw expiryUnsaid();
      const { key, ...kept } = mintKey(kindOf(old.prefix));
      const { name, scopes } = old;
      const made = { keyId: ids.keyId(), name, scopes, expiresAt: expiresAt ?? null, ...kept };
      const { successor, predecessor } = await keys.rotate(keyId, made, overlapHours);
      return { data: { key, ...successor, predecessor }, subject: keyId };
    },
  });

/** Ends a key for ever. */
export const revokeKey = defineOperation({
  ...shared,
  id: "admin.keys.revoke",
  kind: "mutation",
  summary: "Revoke an API key",
  description: "Ends a key for ever. Within a second it is refused by every process of the service.",
  input: keyReference,
  rules: [],
  output: keyFacts,
  example: {
    input: { keyId: example.keyId },
    output: { ...example, state: "revoked", revokedAt: "2026-02-01T12:00:00.000Z" },
  },
  errors: ["KEY_NOT_FOUND"],
  noted: { act: "key.revoke", outcomes: ["done", "KEY_NOT_FOUND"] },

  async run({ keys }: AdminPorts, _call, { keyId }) {
    const revoked = await keys.revoke(keyId);
    if (!revoked) throw new Failure("KEY_NOT_FOUND");
    return { data: revoked, subject: keyId };
  },
});

/** A successor that silently lives for ever would undo what its predecessor's expiry was for. */
function expiryUnsaid(): Failure {
  const message = "The key expires: say when its successor does, or that it never does.";
  return new Failure("INVALID_INPUT", {
    violations: [{ path: ["expiresAt"], rule: "successor-expiry", message }],
  });
}
