import { Failure } from "@cardbridge/domain";
import { SafeDatabaseError } from "@cardbridge/store";
import { ConfigurationError } from "../env.ts";
import { framesOf } from "../frames.ts";
import { CannotBeDone } from "../operations/by-hand.ts";
import { StartError } from "../start/start-error.ts";

const foreseen = [CannotBeDone, ConfigurationError, StartError, SafeDatabaseError];

/** Why a command failed: never a stack, and never a message that nobody foresaw, which may quote a value. */
export function inWords(error: unknown): string {
  if (!(error instanceof Error)) return "Something failed that nobody foresaw.";
  if (foreseen.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof Failure && error.code === "SERVICE_UNAVAILABLE") {
    return "The database went away in between. Look at the record again before you go on.";
  }
  const [place = "at nowhere"] = framesOf(error);
  return `Something failed that nobody foresaw: ${error.name} ${place}.`;
}
