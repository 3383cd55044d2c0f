import { type ErrorCode, Failure, type Violation } from "@cardbridge/domain";
import { hasSafeMessage } from "../boot/errors.ts";
import { stackFramesOf } from "../telemetry/stack-frames.ts";

/** A command cannot be executed; the message is a sentence for the operator. The exit code of wrong usage is 2. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.name = "CommandError";
    this.exitCode = exitCode;
  }
}

/** Messages to operators for codes whose own message addresses callers of the API. */
const sentences: Partial<Record<ErrorCode, string>> = {
  KYC_RECORD_NOT_FOUND: "There is no KYC record with this id.",
  SERVICE_UNAVAILABLE: "The database became unavailable. Check what it stored before you continue.",
};

/** Names the argument or the option that a violation is about. */
type FlagOf = (path: Violation["path"]) => string | undefined;

/** Converts an error without its stack, and without the message of an unexpected error, which may contain a value. */
export function toCommandError(error: unknown, flagOf: FlagOf = () => undefined): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof Failure) return describeFailure(error, flagOf);
  if (!(error instanceof Error)) return new CommandError("An unexpected error occurred.");
  if (hasSafeMessage(error)) return new CommandError(error.message);
  const [place = "at an unknown location"] = stackFramesOf(error);
  return new CommandError(`An unexpected error occurred: ${error.name} ${place}.`);
}

function describeFailure({ code, message, details, cause }: Failure, flagOf: FlagOf): CommandError {
  const isUsage = code === "INVALID_INPUT";
  const lines = (details.violations ?? []).map(({ path, message }) => {
    const flag = isUsage ? flagOf(path) : undefined;
    return flag === undefined ? message : `${flag}: ${message}`;
  });
  if (lines.length > 0) return new CommandError([...new Set(lines)].join("\n"), isUsage ? 2 : 1);
  // Wrong encryption keys make personal data unavailable.
  if (cause instanceof Error && hasSafeMessage(cause)) return new CommandError(cause.message);
  return new CommandError(sentences[code] ?? message);
}
