import { type AuditOutcome, Failure, type Observer } from "@cardbridge/domain";

/**
 * Runs a call or a pass, and counts its outcome under its name.
 * @throws the errors of `run`
 */
export async function counted<T>(
  observer: Observer,
  name: string,
  run: () => Promise<T>,
  outcomeOf: (result: T) => AuditOutcome = () => "done",
): Promise<T> {
  const count = (outcome: AuditOutcome) => observer.observe("operation_call", { operation: name, outcome });
  try {
    const result = await run();
    count(outcomeOf(result));
    return result;
  } catch (error) {
    count(codeOf(error));
    throw error;
  }
}

/** The outcome of a call that failed. */
export function codeOf(error: unknown): AuditOutcome {
  return error instanceof Failure ? error.code : "INTERNAL_ERROR";
}
