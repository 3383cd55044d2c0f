import { ConfigurationError } from "../config/configuration-error.ts";
import { StartError } from "../process/start-error.ts";
import { ListenError } from "../server/serve.ts";

const foreseen = [ConfigurationError, ListenError, StartError];

/** Why a start failed. Only an error that nobody foresaw comes with its stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return foreseen.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}
