import type { AttemptId, KycRecords } from "@cardbridge/domain";

export interface OwnedAttempts {
  /** The same records, with what this process has taken of them remembered until it is given back. */
  kycRecords: KycRecords;
  /** Gives back what is still owned: another process may ask at once, and need not wait for the lease's end. */
  release(): Promise<void>;
}

interface Owned extends AttemptId {
  platformId: string;
}

/** Remembers which attempts this process owns. */
export function ownedAttempts(kycRecords: KycRecords): OwnedAttempts {
  const owned = new Map<string, Owned>();
  const key = ({ kycRecordId, attempt }: AttemptId) => `${kycRecordId}/${attempt}`;
  const take = (one: Owned) => owned.set(key(one), one);

  /** What could not be written is no longer ours to write either: its lease runs out. */
  async function ending<T>(attempt: AttemptId, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      owned.delete(key(attempt));
    }
  }

  return {
    kycRecords: {
      ...kycRecords,
      async claim(platformId, request) {
        const claim = await kycRecords.claim(platformId, request);
        if (claim.kind === "new") {
          take({ platformId, kycRecordId: claim.record.kycRecordId, attempt: claim.record.attempt });
        }
        return claim;
      },
      async leaseDue(limit) {
        const due = await kycRecords.leaseDue(limit);
        due.forEach(take);
        return due;
      },
      storeVerdict: (platformId, attempt, verdict) =>
        ending(attempt, kycRecords.storeVerdict(platformId, attempt, verdict)),
      reschedule: (platformId, attempt, plan) =>
        ending(attempt, kycRecords.reschedule(platformId, attempt, plan)),
    },

    async release() {
      const plan = { step: "ask", notFound: 0, delayMs: 0 } as const;
      await Promise.allSettled(
        [...owned.values()].map(({ platformId, ...attempt }) =>
          kycRecords.reschedule(platformId, attempt, plan),
        ),
      );
    },
  };
}
