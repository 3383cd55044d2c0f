import { errorCode } from "@cardbridge/domain";

/**
 * The reason of a failure as one word: a code of the system or the database, a reason of this service such as
 * `not-authentic`, or the error's name. Never a message, which may contain a value.
 */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown";
  if (errorCode(cause) !== "") return errorCode(cause);
  return /^[a-z0-9-]{1,40}$/.test(cause.message) ? cause.message : cause.name;
}
