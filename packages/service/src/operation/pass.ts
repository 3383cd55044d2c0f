import { counted } from "./counted.ts";
import type { Ports } from "./ports.ts";

/** The worker's passes, by their names in the log, the metrics and the alarms. */
export const workerPasses = [
  "kyc.resolveDue",
  "kyc.checkDocuments",
  "kyc.resolveLookup",
  "webhooks.leaseDue",
  "webhooks.findInactive",
  "webhooks.deliver",
  "webhooks.prune",
  "audit.checkpoint",
  "audit.writeReadCounts",
  "idempotencyKeys.prune",
  "users.expire",
  "users.eraseDue",
  "users.sweep",
  "files.sweep",
  "evidence.sweep",
] as const;

/** The passes that the card provider's events start. */
export const eventPasses = [
  "kyc.recordProviderUpdate",
  "kyc.recordRequest",
  "kyc.requeue",
  "kyc.storeLookup",
  "cards.recordProviderUpdate",
] as const;

export type WorkerPass = (typeof workerPasses)[number];
type EventPass = (typeof eventPasses)[number];

/**
 * Runs a pass, which is work that no caller requested, and counts its outcome. Only the attempts within it are traced.
 * @throws the errors of `work`
 */
export function pass<T>(
  { observer }: Pick<Ports, "observer">,
  name: WorkerPass | EventPass,
  work: () => Promise<T>,
): Promise<T> {
  return counted(observer, name, work);
}
