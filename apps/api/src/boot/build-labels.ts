import type { Env } from "../config/env.ts";
import { version } from "../process/version.ts";

/** What identifies this process in its first and last log line. */
export function buildLabels({
  COMMIT: commit,
  ENVIRONMENT: environment,
  RUN: run,
}: Pick<Env, "COMMIT" | "ENVIRONMENT" | "RUN">): Record<string, string> {
  return { version, ...(commit && { commit }), environment, run };
}
