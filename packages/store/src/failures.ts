import { Failure } from "@cardbridge/domain";
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
// Class 08: connection. 53: out of resources. 57P: shutting down. The rest: timeouts, a read-only standby.
const unavailableStates = /^(08...|53...|57P..|57014|55P03|25P03|25P04|25006)$/;
const driverMessages =
  /^(Connection terminated|timeout e|Query read timeout|Client (has encountered|was closed)|Cannot use a pool)/;
const retryableStates = new Set(["40001", "40P01"]);

/** What may be said of a database's error: its code, and where in the server or the schema it came from. */
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
 * Takes from an error of the driver only what holds no row values: its message, detail and parameters
 * may be personal data. Any other error comes back as it is.
 */
export function safeDatabaseError(error: unknown): unknown {
  const origin = originOf(error);
  return origin instanceof DatabaseError ? new SafeDatabaseError(origin) : origin;
}

/** The Failure for a database that cannot be used now; `cause` is for the log and holds no row values. */
export function unavailable(error: unknown): Failure {
  return new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5, cause: safeDatabaseError(error) });
}

/** True when the connection broke, so that nobody knows what the server did with what was sent last. */
export function isConnectionLoss(error: unknown): boolean {
  const origin = originOf(error);
  if (origin instanceof DatabaseError) return /^(08...|57P0[123])$/.test(origin.code ?? "");
  return isUnavailable(origin);
}

/** True when the connection broke or could not be had, or the server cannot serve at present. */
export function isUnavailable(error: unknown): boolean {
  const origin = originOf(error);
  if (origin instanceof DatabaseError) return unavailableStates.test(origin.code ?? "");
  return systemCodes.has(codeOf(origin)) || (origin instanceof Error && driverMessages.test(origin.message));
}

/** True when the server gave this transaction up for another one, and it may succeed when run again. */
export function isRetryable(error: unknown): boolean {
  return retryableStates.has(codeOf(originOf(error)));
}

/** True when another row has what may be there once. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof SafeDatabaseError && error.code === "23505";
}

/** The code of the system or the SQLSTATE that an error carries, or ''. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** drizzle wraps errors of the driver, with the statement's parameters in the message. */
function originOf(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}
