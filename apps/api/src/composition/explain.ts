import { ConfigurationError } from "../config/configuration-error.ts";
import { StartError } from "../process/start-error.ts";
import { ListenError } from "../server/serve.ts";

const expectedErrors = [ConfigurationError, ListenError, StartError];

/** Describes a failed start. Only an unexpected error includes its stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return expectedErrors.some((kind) => error instanceof kind)
    ? error.message
    : (error.stack ?? error.message);
}
