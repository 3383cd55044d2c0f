import { internalPlatformId, isOperatorScope, platformScope, scope } from "@cardbridge/domain";
import { putApiKey, putPlatform } from "@cardbridge/service/database";
import { Client } from "pg";
import { generateKey } from "../support/generate-key.ts";

/** The demo platform of these keys. */
export const platformId = "plt_demo_one";

/** Keys of every kind, besides the demo keys. `unknown` is not stored. */
export const keys = {
  unknown: generateKey("platform"),
  expired: generateKey("platform"),
  revoked: generateKey("platform"),
  scopeless: generateKey("platform"),
  whole: generateKey("platform"),
  internal: generateKey("internal"),
  /** Of a platform that has no users yet. */
  other: generateKey("platform"),
};

/** Keys by the scope that each lacks. Platforms' keys never have the scopes of operators. */
export const lacking = new Map(
  scope.options.map((name) => [name, generateKey(isOperatorScope(name) ? "internal" : "platform")]),
);

/** Stores the keys, with the superuser's connection. */
export async function makeKeys(adminUrl: string): Promise<void> {
  const whole = { platformId, scopes: platformScope.options };
  const internal = {
    platformId: internalPlatformId,
    scopes: scope.options.filter((name) => name !== "ops.persons"),
  };
  const make = (name: string, { hash, prefix }: typeof keys.whole, more: object = {}) =>
    putApiKey(adminUrl, { keyId: `key_${name}`, name, hash, prefix, ...whole, ...more });
  await make("expired", keys.expired, { expiresAt: new Date(0) });
  await make("revoked", keys.revoked);
  await make("scopeless", keys.scopeless, { scopes: [] });
  await make("whole", keys.whole);
  await make("internal", keys.internal, internal);
  await putPlatform(adminUrl, { id: "plt_other", name: "Other" });
  await make("other", keys.other, { platformId: "plt_other" });
  for (const [name, key] of lacking) {
    const { scopes, ...rest } = isOperatorScope(name) ? internal : whole;
    await make(`no_${name}`, key, { ...rest, scopes: scopes.filter((option) => option !== name) });
  }
  await revoke(adminUrl, "key_revoked");
}

async function revoke(adminUrl: string, keyId: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query("update api_keys set revoked_at = now() where id = $1", [keyId]);
  await admin.end();
}
