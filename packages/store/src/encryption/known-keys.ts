import { sql } from "drizzle-orm";
import type { Tx } from "../statements.ts";

/** Identifies a configured key without revealing it. */
export interface KeyCheck {
  /** The environment variable, with the version for the key ring. */
  name: string;
  /** The version in the key ring; null for the fingerprint key. */
  ringVersion: number | null;
  /** A one-way derivation of the key. */
  value: string;
}

/** The configured keys differ from the keys that the database was first used with; `message` says which ones. */
export class WrongKeys extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join(" "));
    this.name = "WrongKeys";
  }
}

const descriptions = {
  wrong: "is not the one that this database was first used with",
  missing: "is missing, and users, files or webhook endpoints are under it",
};

/**
 * Compares keys with the database's known keys and returns what is wrong, as sentences. A database without known
 * keys stores these ones.
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
