import { counted } from "./counted.ts";
import type { Ports } from "./ports.ts";

/** The worker's passes, by the names that the log, the metrics and the alarms have. */
export const workerPasses = [
  "kyc.settleDue",
  "webhooks.leaseDue",
  "webhooks.deliver",
  "webhooks.forget",
  "audit.seal",
  "idempotencyKeys.forget",
  "users.expire",
  "users.eraseDue",
  "files.sweep",
] as const;

/** The passes that the card provider's events start. */
export const eventPasses = ["kyc.recordProviderUpdate", "kyc.askNow", "cards.recordProviderUpdate"] as const;

export type WorkerPass = (typeof workerPasses)[number];
type EventPass = (typeof eventPasses)[number];

/**
 * Runs a pass, which is work that no caller asks for. Counts its outcome, and traces it within the current trace. A pass
 * begins no trace, because most passes of the worker find nothing to do.
 * @throws what `work` throws
 */
export function pass<T>(
  { observer, tracer }: Pick<Ports, "observer" | "tracer">,
  name: WorkerPass | EventPass,
  work: () => Promise<T>,
): Promise<T> {
  const run = () => counted(observer, name, work);
  if (tracer.traceparent() === undefined) return run();
  return tracer.run({ name }, async (span) => {
    const result = await run();
    span.set({ "cardbridge.outcome": "done" });
    return result;
  });
}
