import { hkdfSync } from "node:crypto";
import type { KeyRing } from "./key-ring.ts";

/** What the store seals, finds and compares personal data with. */
export interface Keys {
  ring: KeyRing;
  /** For fingerprints of bodies and of idempotency keys. */
  fingerprints: Buffer;
  /** For blind indexes. */
  indexes: Buffer;
  /** For the audit's seals: whoever has the database alone lacks it, and can forge none. */
  audit: Buffer;
  /** For the signatures of file URLs. */
  urls: Buffer;
  /** By the variable's words, a value that tells a key from another one and gives nothing of it away. */
  checks: readonly KeyCheck[];
}

interface KeyCheck {
  name: string;
  /** The version in the key ring; null for the fingerprint key. */
  ringVersion: number | null;
  value: string;
}

/** Derives every key from the two secrets of the configuration, each for one purpose. */
export function deriveKeys({ ring, fingerprintKey }: { ring: KeyRing; fingerprintKey: string }): Keys {
  return {
    ring,
    fingerprints: subkey(fingerprintKey, "fingerprint"),
    indexes: subkey(fingerprintKey, "blind-index"),
    audit: subkey(fingerprintKey, "audit"),
    urls: subkey(fingerprintKey, "file-urls"),
    checks: [
      { name: "FINGERPRINT_KEY", ringVersion: null, value: checkValue(fingerprintKey) },
      ...[...ring.keys].map(([version, key]) => ({
        name: `KEY_RING version ${version}`,
        ringVersion: version,
        value: checkValue(key),
      })),
    ],
  };
}

function checkValue(secret: string | Buffer): string {
  return subkey(secret, "check").toString("hex");
}

function subkey(secret: string | Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `cardbridge/${purpose}`, 32));
}
