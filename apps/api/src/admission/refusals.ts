import type { Observer } from "@cardbridge/domain";
import type { Log } from "../log/log.ts";
import type { FairSemaphoreOptions } from "./fair-semaphore.ts";
import type { Resource } from "./slots.ts";

/** Why a request is refused by its head: its platform exceeds its rate, or uses its share of a resource. */
export const refusalReasons = ["rate", "share"] as const;
type RefusalReason = (typeof refusalReasons)[number];

/** Counts refusals in the metrics, and in the log in one line a second for each cause: there can be thousands a second. */
export interface Refusals {
  byHead(platformId: string, reason: RefusalReason): void;
  /** Refusals of a resource without a slot. */
  of(resource: Resource): NonNullable<FairSemaphoreOptions["onRefused"]>;
}

export function createRefusals(observer: Observer, log: Pick<Log, "shed" | "full">): Refusals {
  /** The refusals of this second, and the line that reports each kind of them. */
  const counts = new Map<string, { refused: number; write(refused: number): void }>();

  function count(kind: string, write: (refused: number) => void): void {
    if (counts.size === 0) setTimeout(report, 1_000).unref();
    const known = counts.get(kind);
    if (known) known.refused += 1;
    else counts.set(kind, { refused: 1, write });
  }

  function report(): void {
    for (const { refused, write } of counts.values()) write(refused);
    counts.clear();
  }

  return {
    byHead(platformId, reason) {
      observer.observe("request_shed", { reason });
      count(`${reason} ${platformId}`, (refused) => log.shed(platformId, reason, refused));
    },
    of: (resource) => (code) => {
      observer.observe("slot_refused", { resource, outcome: code });
      count("slots", (refused) => log.full(refused));
    },
  };
}
