import { SafeDatabaseError, WrongKeys } from "@cardbridge/store";
import { ConfigurationError } from "../config/configuration-error.ts";
import { StartError } from "../process/start-error.ts";

const safeErrors = [ConfigurationError, StartError, SafeDatabaseError, WrongKeys];

/** Whether operators may see the error's message: it is ours and contains no values. */
export function hasSafeMessage(error: Error): boolean {
  return safeErrors.some((kind) => error instanceof kind);
}
