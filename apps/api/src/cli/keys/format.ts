import { type CreatedKey, internalPlatformId, type KeyFacts } from "@cardbridge/domain";
import { formatDuration } from "../duration.ts";

/** Whether a key works, and for how long. */
export function formatState({ state, expiresAt }: KeyFacts, now: Date): string {
  if (state !== "live" || expiresAt === null) return state;
  return `expires in ${formatDuration(Date.parse(expiresAt) - now.getTime())}`;
}

export function formatLastUse({ lastUsedAt }: KeyFacts, now: Date): string {
  return lastUsedAt === null ? "never" : `${formatDuration(now.getTime() - Date.parse(lastUsedAt))} ago`;
}

/** A key's id with its name and its owner. */
export function formatName({ keyId, name, platformId }: KeyFacts): string {
  return `${keyId} (${name}, of ${platformId === internalPlatformId ? "internal apps" : platformId})`;
}

/** Describes a new key, without the key itself. */
export function describeCreated(created: CreatedKey): string {
  const { expiresAt } = created;
  const expiry = expiresAt === null ? "It does not expire." : `It expires at ${expiresAt}.`;
  return `This is ${formatName(created)}. It is not shown again. ${expiry}`;
}
