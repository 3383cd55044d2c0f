import { errorCode, Failure } from "@cardbridge/domain";
import { DrizzleQueryError } from "drizzle-orm";
import { DatabaseError } from "pg";

const systemCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
]);
// Class 08: connection. 53: insufficient resources. 57P: shutdown. The others: timeouts, a read-only standby.
const unavailableStates = /^(08...|53...|57P..|57014|55P03|25P03|25P04|25006)$/;
const driverMessages =
  /^(Connection terminated|timeout e|Query read timeout|Client (has encountered|was closed)|Cannot use a pool)/;
const retryableStates = new Set(["40001", "40P01"]);

/** An error of the database without row values: its code, and its origin in the server or the schema. */
export class SafeDatabaseError extends Error {
  readonly code: string | undefined;
  readonly routine: string | undefined;
  readonly constraint: string | undefined;

  constructor({ code, routine, constraint }: DatabaseError) {
    super(`The database failed: ${[code, routine, constraint].filter(Boolean).join(", ")}.`);
    this.name = "SafeDatabaseError";
    this.code = code;
    this.routine = routine;
    this.constraint = constraint;
  }
}

/**
 * Removes row values from an error of the driver: its message, detail and parameters may hold personal data.
 * Any other error is returned unchanged.
 */
export function safeDatabaseError(error: unknown): unknown {
  const origin = originOf(error);
  return origin instanceof DatabaseError ? new SafeDatabaseError(origin) : origin;
}

/** The Failure for a database that cannot be used at present; its `cause` is for the log and holds no row values. */
export function unavailable(error: unknown): Failure {
  return new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5, cause: safeDatabaseError(error) });
}

/** True when the connection broke: the server may or may not have executed the last statements. */
export function isConnectionLoss(error: unknown): boolean {
  const origin = originOf(error);
  if (origin instanceof DatabaseError) return /^(08...|57P0[123])$/.test(origin.code ?? "");
  return isUnavailable(origin);
}

/** True when there is no connection, the connection broke, or the server cannot serve at present. */
export function isUnavailable(error: unknown): boolean {
  const origin = originOf(error);
  if (origin instanceof DatabaseError) return unavailableStates.test(origin.code ?? "");
  return (
    systemCodes.has(errorCode(origin)) || (origin instanceof Error && driverMessages.test(origin.message))
  );
}

/** True when the server aborted the transaction in favour of another one: a second run may succeed. */
export function isRetryable(error: unknown): boolean {
  return retryableStates.has(errorCode(originOf(error)));
}

/** True when a unique constraint refused the row. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof SafeDatabaseError && error.code === "23505";
}

/** The driver's error: drizzle wraps it in one whose message holds the statement's parameters. */
function originOf(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}
