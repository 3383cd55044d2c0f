import { ConfigurationError } from "@cardbridge/node";
import { SafeDatabaseError, WrongKeys } from "@cardbridge/service/database";
import { StartError } from "../process/start-error.ts";
import { ListenError } from "../server/serve.ts";

const expectedErrors = [ConfigurationError, ListenError, StartError];
const safeErrors = [ConfigurationError, StartError, SafeDatabaseError, WrongKeys];

/** Describes a failed start. Only an unexpected error includes its stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isOneOf(expectedErrors, error) ? error.message : (error.stack ?? error.message);
}

/** Whether operators may see the error's message: this service wrote it, and it contains no values. */
export function hasSafeMessage(error: Error): boolean {
  return isOneOf(safeErrors, error);
}

function isOneOf(kinds: readonly (abstract new (...input: never[]) => Error)[], error: Error): boolean {
  return kinds.some((kind) => error instanceof kind);
}
