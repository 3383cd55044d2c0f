import { SafeDatabaseError, WrongKeys } from "@cardbridge/store";
import { ConfigurationError } from "../config/configuration-error.ts";
import { StartError } from "../process/start-error.ts";

const safeErrors = [ConfigurationError, StartError, SafeDatabaseError, WrongKeys];

/** Whether an operator may read the error's message: it is a sentence of ours and quotes no value. */
export function hasSafeMessage(error: Error): boolean {
  return safeErrors.some((kind) => error instanceof kind);
}
