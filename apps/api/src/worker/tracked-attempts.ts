import type { AttemptId, DueAttempt, KycRecords } from "@cardbridge/domain";

export interface TrackedAttempts {
  /** The port with tracking. */
  kycRecords: KycRecords;
  /** Releases the remaining leases, so that another process need not wait for their expiry. */
  release(): Promise<void>;
}

/** Tracks the attempts that this process owns. */
export function trackAttempts(kycRecords: KycRecords): TrackedAttempts {
  const owned = new Map<string, DueAttempt>();
  const key = ({ kycRecordId, attempt }: AttemptId) => `${kycRecordId}/${attempt}`;
  const track = (attempt: DueAttempt) => owned.set(key(attempt), attempt);

  /** Ends the ownership after the write. After a failed write, the lease expires. */
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
      async createOrReplay(platformId, request) {
        const result = await kycRecords.createOrReplay(platformId, request);
        if (result.kind === "new") {
          track({ platformId, kycRecordId: result.record.kycRecordId, attempt: result.record.attempt });
        }
        return result;
      },
      async leaseDue(limit) {
        const due = await kycRecords.leaseDue(limit);
        due.forEach(track);
        return due;
      },
      storeVerdict: (platformId, attempt, verdict, report) =>
        ending(attempt, kycRecords.storeVerdict(platformId, attempt, verdict, report)),
      reschedule: (platformId, attempt, plan, report) =>
        ending(attempt, kycRecords.reschedule(platformId, attempt, plan, report)),
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
