import type { Env } from "../config/env.ts";
import { version } from "../process/version.ts";

/** What identifies this process in its first and last log line. */
export function buildLabels({
  COMMIT: commit,
  RUN: run,
}: Pick<Env, "COMMIT" | "RUN">): Record<string, string> {
  return { version, ...(commit && { commit }), run };
}
