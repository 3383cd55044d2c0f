import { deriveKeys, type Keys, parseKeyRing } from "@cardbridge/store";
import { developmentFingerprintKey, developmentKeyRing } from "../config/development-secrets.ts";
import type { Env } from "../config/env.ts";

/** The keys that encrypt personal data, from the environment or for development. */
export function encryptionKeys(env: Pick<Env, "KEY_RING" | "FINGERPRINT_KEY">): Keys {
  return deriveKeys({
    ring: env.KEY_RING ?? parseKeyRing(developmentKeyRing),
    fingerprintKey: env.FINGERPRINT_KEY ?? developmentFingerprintKey,
  });
}
