import type { Attempt, DueAttempt, KycAnswer } from "@cardbridge/domain";
import { newState } from "@cardbridge/domain";
import { expect, it, vi } from "vitest";
import { startWorker } from "../src/worker/worker.ts";
import { fakePorts } from "./support/fakes.ts";

/** A worker over fake ports with so many due records; counts what runs at the same time. */
function setUp(count: number, answer: () => Promise<KycAnswer>) {
  const due: DueAttempt[] = Array.from({ length: count }, (_, index) => ({
    platformId: "plt_1",
    kycRecordId: `kyc_${index}`,
    attempt: 2,
  }));
  const load = { now: 0, most: 0, calls: 0 };
  const { ports, observed } = fakePorts({
    async findKyc() {
      load.calls += 1;
      load.now += 1;
      load.most = Math.max(load.most, load.now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      load.now -= 1;
      return answer();
    },
  });
  ports.kycRecords.takeDue = async (limit) => due.splice(0, limit);
  ports.kycRecords.open = async (_platform, { kycRecordId, attempt }): Promise<Attempt> => ({
    record: { ...newState, kycRecordId, externalUserId: "usr_1", attempt, createdAt: new Date(0) },
    submission: {} as Attempt["submission"],
    step: "ask",
    notFound: 0,
  });
  return { ports, observed, load };
}

it("settles what is due, no more at once than it may, and ends with what is under way", async () => {
  const { ports, load } = setUp(50, async () => ({ outcome: "unknown", reason: "deadline" }));
  const worker = startWorker({ ports, intervalMs: 5, concurrency: 8 });
  await expect.poll(() => load.calls).toBe(50);
  await worker.stop();
  expect(load).toMatchObject({ now: 0, most: 8 });
});

it("forgets old idempotency keys every hour, and stops doing so", async () => {
  vi.useFakeTimers();
  try {
    const { ports } = setUp(0, async () => ({ outcome: "unknown", reason: "deadline" }));
    const asked: number[] = [];
    ports.kycRecords.forgetKeys = async (days) => void asked.push(days);
    const worker = startWorker({ ports });
    await vi.advanceTimersByTimeAsync(2.5 * 3_600_000);
    await worker.stop();
    await vi.advanceTimersByTimeAsync(3 * 3_600_000);
    expect(asked).toEqual([35, 35]);
  } finally {
    vi.useRealTimers();
  }
});

it("goes on when the database is away", async () => {
  const { ports, observed, load } = setUp(1, async () => ({ outcome: "unknown", reason: "deadline" }));
  const { takeDue } = ports.kycRecords;
  let failures = 2;
  ports.kycRecords.takeDue = async (limit) => {
    failures -= 1;
    if (failures >= 0) throw new Error("away");
    return takeDue(limit);
  };
  const worker = startWorker({ ports, intervalMs: 5 });
  await expect.poll(() => load.calls).toBe(1);
  await worker.stop();
  expect(observed.filter((what) => what === "worker_without_database")).toHaveLength(2);
});
