import { Failure } from "../errors/failure.ts";
import type { PauseState } from "./ports.ts";

/** Operators may resume before `until`, so callers ask again after this time at the latest, in seconds. */
const maxRetrySeconds = 60;

/** The failure of a call that needs the provider while it is paused. */
export function providerPaused(pause: PauseState): Failure {
  return new Failure("PROVIDER_PAUSED", { retryAfterSeconds: retryAfter(pause) });
}

/** The failure of every call of a paused platform, with the operator's reason and the end. */
export function platformPaused(pause: PauseState): Failure {
  const message = `The platform is paused until ${pause.until.toISOString()} at the latest: ${pause.reason}`;
  return new Failure("PLATFORM_PAUSED", {
    retryAfterSeconds: retryAfter(pause),
    violations: [{ path: [], rule: "platform-paused", message }],
  });
}

/** The delay before another call while a pause is active, in seconds. */
export function retryAfter({ until }: PauseState): number {
  const seconds = Math.ceil((until.getTime() - Date.now()) / 1_000);
  return Math.min(Math.max(seconds, 1), maxRetrySeconds);
}
