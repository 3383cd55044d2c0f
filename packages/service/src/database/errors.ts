import { Failure } from "@cardbridge/domain";

/** A database error without row values: the error code, and the server routine or constraint that raised it. */
export class SafeDatabaseError extends Error {
  readonly code: string | undefined;
  readonly routine: string | undefined;
  readonly constraint: string | undefined;

  constructor({ code, routine, constraint }: DatabaseDetails) {
    super(`The database failed: ${[code, routine, constraint].filter(Boolean).join(", ")}.`);
    this.name = "SafeDatabaseError";
    this.code = code;
    this.routine = routine;
    this.constraint = constraint;
  }
}

type DatabaseDetails = {
  code?: string | undefined;
  routine?: string | undefined;
  constraint?: string | undefined;
};

/** The connection broke during the commit: the transaction may or may not be committed. Its cause has no row values. */
export class UnknownCommit extends Error {
  constructor(cause: unknown) {
    super("The connection broke during a commit.", { cause });
    this.name = "UnknownCommit";
  }
}

/** The Failure for a temporarily unavailable database. Its cause is for the log, and must contain no row values. */
export function unavailable(cause: unknown): Failure {
  return new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5, cause });
}

/** True when a unique constraint rejected the row. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof SafeDatabaseError && error.code === "23505";
}
