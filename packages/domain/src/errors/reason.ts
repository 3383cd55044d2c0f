import { errorCode } from "./error-code.ts";
import { Failure } from "./failure.ts";

/** The number of errors that are read: an error, its cause, the cause of that, and so on. */
const maxErrors = 8;

/** An error whose message is a reason of this service: one word such as `no-slot`, without data of a caller. */
export class ReasonError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "ReasonError";
  }
}

/**
 * The reason of a failure as one word, for the log, traces and the command line. From the outermost error to the
 * innermost cause, it is the first code of the system, the database or another service (ECONNREFUSED, 57P01,
 * NoSuchBucket), or the first ReasonError (`no-slot`). If there is neither, it is the code of the Failure or
 * the name of the innermost error. It is never the message of another system, which may contain personal data.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const errors = withCauses(error);
  const innermost = errors.at(-1) ?? error;
  const name = innermost instanceof Failure ? innermost.code : innermost.name;
  return errors.map(ownReason).find((reason) => reason !== "") ?? name;
}

function withCauses(error: Error): Error[] {
  const errors = [error];
  for (let next = causeOf(error); next instanceof Error && errors.length < maxErrors; next = causeOf(next)) {
    errors.push(next);
  }
  return errors;
}

/** An AggregateError contains one error for each address of a name. */
function causeOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : error.cause;
}

/** The code or the reason of one error, or ''. The code of a Failure says less than its cause. */
function ownReason(error: Error): string {
  const code = error instanceof Failure ? "" : errorCode(error);
  if (/^[\w.-]{1,64}$/.test(code)) return code;
  return error instanceof ReasonError ? error.message : "";
}
