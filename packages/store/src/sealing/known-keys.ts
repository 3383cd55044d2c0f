import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { unavailable } from "../failures.ts";
import type { Tx } from "../statements.ts";
import type { Keys } from "./keys.ts";

/** The keys given are not the ones that the database was used with; `message` says which, in sentences. */
export class WrongKeys extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join(" "));
    this.name = "WrongKeys";
  }
}

const words = {
  wrong: "is not the one that this database was first used with",
  missing: "is missing, and data of users are under it",
};

/** Compares keys with those that the database knows, which are the first that it was ever shown. */
export async function findKeyProblems(tx: Pick<Tx, "execute">, { checks }: Keys): Promise<string[]> {
  const given = checks.map(({ name, ringVersion, value }) => ({
    name,
    ring_version: ringVersion,
    check_value: value,
  }));
  const { rows } = await tx.execute<{ name: string; problem: keyof typeof words }>(
    sql`select name, problem from check_encryption_keys(${JSON.stringify(given)}::jsonb) order by name`,
  );
  return rows.map(({ name, problem }) => `${name} ${words[problem]}.`);
}

/** Why personal data cannot be used with these keys, as sentences; none when they can. */
export function keyProblems(database: Database, keys: Keys): Promise<string[]> {
  return database.withoutPlatform((tx) => findKeyProblems(tx, keys));
}

/**
 * What has to pass before a user is looked up or anything is sealed: under wrong keys a known user would be
 * nobody, and new data would be lost. Asks the database until it agrees, and then never again.
 */
export function keyGate(database: Database, keys: Keys): () => Promise<void> {
  let passed: Promise<void> | undefined;
  async function ask(): Promise<void> {
    const problems = await keyProblems(database, keys);
    if (problems.length > 0) throw unavailable(new WrongKeys(problems));
  }
  return () => {
    passed ??= ask().catch((error: unknown) => {
      passed = undefined;
      throw error;
    });
    return passed;
  };
}
