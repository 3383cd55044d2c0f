import { hkdfSync } from "node:crypto";
import type { Tx } from "../database/statements.ts";
import type { KeyRing } from "./key-ring.ts";
import { findKeyProblems, type KeyCheck, WrongKeys } from "./known-keys.ts";

/** The keys that encrypt, find and compare personal data. Only `KeySet.personalData` returns them. */
export interface PersonalDataKeys {
  ring: KeyRing;
  /** For fingerprints of bodies and idempotency keys. */
  fingerprints: Buffer;
  /** For blind indexes. */
  indexes: Buffer;
}

/**
 * The service's keys. The keys of personal data are available only after a database has confirmed them: wrong keys
 * would find no users, and data encrypted under them would be lost.
 */
export interface KeySet {
  /** For the audit's checkpoints. Database access alone is not enough to forge one: this key is not in the database. */
  audit: Buffer;
  /** For the entries of the log of erasures. */
  erasures: Buffer;
  /** For the signatures of file URLs. */
  urls: Buffer;
  /** The versions of the key ring. The current version wraps new data keys. */
  versions: { current: number; all: readonly number[] };
  /** The differences from the database's known keys, as sentences; empty when there are none. */
  problems(tx: Pick<Tx, "execute">): Promise<string[]>;
  /**
   * The keys of personal data, confirmed by this database.
   * @throws WrongKeys
   */
  personalData(tx: Pick<Tx, "execute">): Promise<PersonalDataKeys>;
}

/** The two secrets of the configuration. */
export interface Secrets {
  ring: KeyRing;
  fingerprintKey: string;
}

/** Derives every key from the configured secrets, one key for each purpose. */
export function deriveKeys(secrets: Secrets): KeySet {
  const { ring, fingerprintKey } = secrets;
  const personalData = derivePersonalDataKeys(secrets);
  const checks: KeyCheck[] = [
    { name: "FINGERPRINT_KEY", ringVersion: null, value: checkValue(fingerprintKey) },
    ...[...ring.keys].map(([version, key]) => ({
      name: `KEY_RING version ${version}`,
      ringVersion: version,
      value: checkValue(key),
    })),
  ];
  return {
    audit: subkey(fingerprintKey, "audit"),
    erasures: subkey(fingerprintKey, "erasures"),
    urls: subkey(fingerprintKey, "file-urls"),
    versions: { current: ring.current, all: [...ring.keys.keys()] },
    problems: (tx) => findKeyProblems(tx, checks),
    async personalData(tx) {
      const problems = await findKeyProblems(tx, checks);
      if (problems.length > 0) throw new WrongKeys(problems);
      return personalData;
    },
  };
}

/** For `deriveKeys`, and for tests of the cryptography alone. */
export function derivePersonalDataKeys({ ring, fingerprintKey }: Secrets): PersonalDataKeys {
  return {
    ring,
    fingerprints: subkey(fingerprintKey, "fingerprint"),
    indexes: subkey(fingerprintKey, "blind-index"),
  };
}

function checkValue(secret: string | Buffer): string {
  return subkey(secret, "check").toString("hex");
}

function subkey(secret: string | Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `cardbridge/${purpose}`, 32));
}
