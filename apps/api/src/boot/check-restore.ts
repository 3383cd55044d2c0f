import { Failure, reasonOf } from "@cardbridge/domain";
import { ConfigurationError } from "@cardbridge/node";

/**
 * Checks at the start that a restored database was checked (gap G40).
 * @returns the reason if the file store, which knows what the database lost, is unusable
 * @throws ConfigurationError if the database was restored and `restore check` did not end
 */
export async function checkRestore(reasonsNotToStart: () => Promise<string[]>): Promise<string | undefined> {
  try {
    const reasons = await reasonsNotToStart();
    if (reasons.length > 0) throw new ConfigurationError(reasons.map((reason) => `DATABASE_URL: ${reason}`));
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return reasonOf(error);
    throw error;
  }
}
