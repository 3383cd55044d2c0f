import { sql } from "drizzle-orm";
import type { Tx } from "../database/statements.ts";

/** Identifies a configured key without revealing it. */
export interface KeyCheck {
  /** The name of the environment variable, followed by the version for a key of the ring. */
  name: string;
  /** The version in the key ring; null for the fingerprint key. */
  ringVersion: number | null;
  /** A one-way derivation of the key. */
  value: string;
}

/** The configured keys differ from the keys that the database was first used with; `message` lists them. */
export class WrongKeys extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join(" "));
    this.name = "WrongKeys";
  }
}

const descriptions = {
  wrong: "differs from the key that this database was first used with",
  missing: "is missing, but wraps keys of users, files or webhook endpoints",
};

/**
 * Compares the configured keys with the database's known keys and returns the problems, as sentences. A database
 * without known keys stores the configured keys.
 */
export async function findKeyProblems(
  tx: Pick<Tx, "execute">,
  checks: readonly KeyCheck[],
): Promise<string[]> {
  const configured = checks.map(({ name, ringVersion, value }) => ({
    name,
    ring_version: ringVersion,
    check_value: value,
  }));
  const { rows } = await tx.execute<{ name: string; problem: keyof typeof descriptions }>(
    sql`select name, problem from check_encryption_keys(${JSON.stringify(configured)}::jsonb) order by name`,
  );
  return rows.map(({ name, problem }) => `${name} ${descriptions[problem]}.`);
}
