import { createHash, randomBytes } from "node:crypto";

/** Creates an event id that is ordered by time, in the format of the SQL function webhook_id. */
export function newEventId(): string {
  return `msg_${Date.now().toString(16).padStart(12, "0")}${randomBytes(7).toString("hex")}`;
}

/** The id of an event that repeats an event of the provider: the same provider id always results in the same id. */
export function repeatedEventId(platformId: string, providerEventId: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([platformId, providerEventId]))
    .digest("hex");
  return `msg_${hash.slice(0, 26)}`;
}
