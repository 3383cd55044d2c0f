import { internalPlatformId, type KeyFacts } from "@cardbridge/domain";
import { span } from "../span.ts";

/** Whether a key works, and for how long. */
export function stateOf({ state, expiresAt }: KeyFacts, now: Date): string {
  if (state !== "live" || expiresAt === null) return state;
  return `expires in ${span(Date.parse(expiresAt) - now.getTime())}`;
}

export function lastUse({ lastUsedAt }: KeyFacts, now: Date): string {
  return lastUsedAt === null ? "never" : `${span(now.getTime() - Date.parse(lastUsedAt))} ago`;
}

/** A key by its id, with what people know it by. */
export function nameOf({ keyId, name, platformId }: KeyFacts): string {
  return `${keyId} (${name}, of ${platformId === internalPlatformId ? "internal apps" : platformId})`;
}

export function expires({ expiresAt }: KeyFacts): string {
  return expiresAt === null ? "It does not expire." : `It expires at ${expiresAt}.`;
}
