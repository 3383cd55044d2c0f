import { createHash, randomBytes } from "node:crypto";

/** A new event's id, ordered by time, as the SQL function webhook_id makes them. */
export function newEventId(): string {
  return `msg_${Date.now().toString(16).padStart(12, "0")}${randomBytes(7).toString("hex")}`;
}

/** The id of the event that repeats one of the provider: the provider's id always gives the same one. */
export function repeatedEventId(platformId: string, providerEventId: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([platformId, providerEventId]))
    .digest("hex");
  return `msg_${hash.slice(0, 26)}`;
}
