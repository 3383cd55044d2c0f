import { errorCode, ReasonError } from "@cardbridge/domain";
import { DrizzleQueryError } from "drizzle-orm";
import { DatabaseError } from "pg";
import { SafeDatabaseError } from "./errors.ts";

const systemCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
]);
// Class 08: connection. 53: insufficient resources. 57P: shutdown. The other codes: timeouts, a read-only standby, and a
// prepared statement that a pooler lost or gave to another session.
const unavailableStates = /^(08...|53...|57P..|57014|55P03|25P03|25P04|25006|26000|42P05)$/;
/** The reasons of the driver's errors that have no code, by their messages, when the database is unavailable. */
const driverReasons: readonly (readonly [message: RegExp, reason: string])[] = [
  [/^(timeout e|Connection terminated due to connection timeout)/, "connect-timeout"],
  [/^Query read timeout/, "query-timeout"],
  [/^(Connection terminated|Client has encountered)/, "connection-lost"],
  [/^(Client was closed|Cannot use a pool)/, "connection-closed"],
];
/** Those of its errors before there is a connection. */
const connectReasons: typeof driverReasons = [
  [/^The server does not support SSL/, "tls-unsupported"],
  [/^There was an error establishing an SSL/, "tls-failed"],
  [/^SASL/, "authentication-failed"],
];
const retryableStates = new Set(["40001", "40P01"]);

/**
 * Removes row values from an error of the driver, whose message, detail and parameters may contain personal data. An
 * error of the driver without a code becomes a ReasonError, such as `connection-lost`. Returns any other error unchanged.
 */
export function safeDatabaseError(error: unknown): unknown {
  const origin = originOf(error);
  if (origin instanceof DatabaseError) return new SafeDatabaseError(origin);
  const reason = driverReason(origin, [...driverReasons, ...connectReasons]);
  return reason === undefined ? origin : new ReasonError(reason, { cause: origin });
}

/** True when the connection broke: the server may or may not have executed the last statements. */
export function isConnectionLoss(error: unknown): boolean {
  const origin = originOf(error);
  if (origin instanceof DatabaseError) return /^(08...|57P0[123])$/.test(origin.code ?? "");
  return isUnavailable(origin);
}

/** True when there is no connection, the connection broke, or the server is temporarily unavailable. */
export function isUnavailable(error: unknown): boolean {
  const origin = originOf(error);
  if (origin instanceof DatabaseError) return unavailableStates.test(origin.code ?? "");
  return systemCodes.has(errorCode(origin)) || driverReason(origin, driverReasons) !== undefined;
}

/** True when the server is read-only or stops: a new connection may lead to the one that took over. */
export function isWrongServer(error: unknown): boolean {
  return /^(25006|57P0[123])$/.test(errorCode(originOf(error)));
}

/** True when the server ignored a statement, because an earlier one of its transaction failed. */
export function isAborted(error: unknown): boolean {
  return errorCode(originOf(error)) === "25P02";
}

/** True when the session has no prepared statement of this name, or has it from another connection of a pooler. */
export function isLostStatement(error: unknown): boolean {
  return /^(26000|42P05)$/.test(errorCode(originOf(error)));
}

/** True when the server aborted the transaction in favour of another transaction: a retry may succeed. */
export function isRetryable(error: unknown): boolean {
  return retryableStates.has(errorCode(originOf(error)));
}

function driverReason(error: unknown, reasons: typeof driverReasons): string | undefined {
  if (!(error instanceof Error) || errorCode(error) !== "") return undefined;
  return reasons.find(([message]) => message.test(error.message))?.[1];
}

/** The driver's error. Drizzle wraps it in an error whose message contains the statement's parameters. */
function originOf(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}
