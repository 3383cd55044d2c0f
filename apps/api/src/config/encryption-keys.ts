import { deriveKeys, type Keys, parseKeyRing } from "@cardbridge/store";
import { developmentFingerprintKey, developmentKeyRing, type Env } from "./env.ts";

/** The keys of personal data that the environment gives, or those of development. */
export function keysOf(env: Pick<Env, "KEY_RING" | "FINGERPRINT_KEY">): Keys {
  return deriveKeys({
    ring: env.KEY_RING ?? parseKeyRing(developmentKeyRing),
    fingerprintKey: env.FINGERPRINT_KEY ?? developmentFingerprintKey,
  });
}
