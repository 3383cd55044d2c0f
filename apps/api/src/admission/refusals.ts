import type { Observer } from "@cardbridge/domain";
import { holderOf } from "@cardbridge/service";
import type { Caller } from "./authenticate.ts";
import type { FairSemaphoreOptions } from "./fair-semaphore.ts";
import type { Resource } from "./slots.ts";

/** Why a request is rejected from its head: its platform is paused, or its caller exceeds its rate or its fair limit. */
export const refusalReasons = ["paused", "rate", "slots"] as const;
type RefusalReason = (typeof refusalReasons)[number];

type HeldBy = Pick<Caller, "kind" | "actor" | "platformId" | "person">;

/** Whose rate and slots a rejected request used. */
type ShedCaller = { platformId: string } | { keyId: string } | { personId: string };

export interface RefusalLog {
  /** Logs the number of a caller's requests that were rejected from their head in the last second. */
  shed(caller: ShedCaller, reason: string, refused: number): void;
  /** Logs the number of calls that got no slot of a resource in the last second. */
  full(refused: number): void;
}

/** Counts refusals in metrics, and logs one line a second for each cause, because there can be thousands a second. */
export interface Refusals {
  byHead(caller: HeldBy, reason: RefusalReason): void;
  /** Counts the refusals of a resource that has no free slot. */
  of(resource: Resource): NonNullable<FairSemaphoreOptions["onRefused"]>;
}

export function createRefusals(observer: Observer, log: RefusalLog): Refusals {
  /** The refusals of this second by kind, with the function that logs their number. */
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
    byHead(caller, reason) {
      observer.observe("request_shed", { reason });
      count(`${reason} ${holderOf(caller)}`, (refused) => log.shed(namedHolder(caller), reason, refused));
    },
    of: (resource) => (code) => {
      observer.observe("slot_refused", { resource, outcome: code });
      count("slots", (refused) => log.full(refused));
    },
  };
}

function namedHolder({ kind, actor, platformId, person }: HeldBy): ShedCaller {
  if (kind !== "internal") return { platformId };
  return person ? { personId: person.personId } : { keyId: actor };
}
