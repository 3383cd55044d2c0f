import {
  type Attempt,
  type DueAttempt,
  Failure,
  newRecord,
  type ProviderReply,
  ReasonError,
} from "@cardbridge/domain";
import { countingDatabase } from "@cardbridge/service/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFairSemaphore } from "../../src/admission/fair-semaphore.ts";
import { startWorker } from "../../src/worker/worker.ts";
import { fakePorts } from "../support/fakes.ts";

/** A worker with fake ports and a number of due records. Counts concurrent attempts. */
function setUp(count: number, answer: () => Promise<ProviderReply>) {
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
  ports.kycRecords.leaseDue = async (limit) => due.splice(0, limit);
  ports.kycRecords.loadAttempt = async (_platform, { kycRecordId, attempt }): Promise<Attempt> => ({
    record: { ...newRecord, kycRecordId, externalUserId: "usr_1", attempt, createdAt: new Date(0) },
    step: "ask",
    notFound: 0,
  });
  return { ports, observed, load };
}

it("resolves due records within its concurrency, and waits for active attempts when it stops", async () => {
  const { ports, load } = setUp(50, async () => ({ outcome: "unknown", reason: "deadline" }));
  const worker = startWorker({ ports, intervalMs: 5, concurrency: 8 });
  await expect.poll(() => load.calls).toBe(50);
  await worker.stop();
  expect(load).toMatchObject({ now: 0, most: 8 });
});

it("leases no more than it has slots for, and fills a slot as soon as an attempt ends", async () => {
  const { ports } = setUp(4, async () => ({ outcome: "unknown", reason: "deadline" }));
  const asked: number[] = [];
  const waiting: (() => void)[] = [];
  const { leaseDue } = ports.kycRecords;
  const { room, run } = createFairSemaphore({ capacity: 4 });
  const worker = startWorker({
    ports: {
      ...ports,
      providerSlots: { ...ports.providerSlots, room, run },
      kycRecords: {
        ...ports.kycRecords,
        async leaseDue(limit) {
          asked.push(limit);
          return leaseDue(limit);
        },
      },
      provider: {
        ...ports.provider,
        async findKyc() {
          await new Promise<void>((resolve) => waiting.push(resolve));
          return { outcome: "unknown", reason: "deadline" };
        },
      },
    },
    intervalMs: 3_600_000,
  });
  await expect.poll(() => waiting.length).toBe(2);
  expect(asked).toEqual([2]);
  // The other attempt continues.
  waiting.shift()?.();
  await expect.poll(() => waiting.length).toBe(2);
  expect(asked).toEqual([2, 1]);
  for (let ended = 0; ended < 3; ended += 1) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.();
  }
  await worker.stop();
});

describe("by the clock", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const nothing = async () => ({ outcome: "unknown", reason: "deadline" }) as const;

  it.each([
    [100, 200],
    [2, 4],
  ])("a backlog is resolved at %i per second", async (perSecond, due) => {
    const { ports, load } = setUp(3 * due, nothing);
    const worker = startWorker({ ports, perSecond });
    await vi.advanceTimersByTimeAsync(2_000);
    // Includes the batch that starts at the very end.
    expect(load.calls).toBeGreaterThanOrEqual(due);
    expect(load.calls).toBeLessThanOrEqual(due + 16);
    await Promise.all([worker.stop(), vi.advanceTimersByTimeAsync(10)]);
  });

  it("old data is deleted at the start and every hour, until the worker stops", async () => {
    const { ports } = setUp(0, nothing);
    const asked: unknown[] = [];
    ports.kycRecords.pruneKeys = async (...limits) => {
      asked.push(limits);
      return 0;
    };
    ports.database = countingDatabase(ports.database, (text, params) => {
      if (/request_expired_erasures|sweep_users/.test(text)) asked.push(params);
      return 0;
    });
    const worker = startWorker({ ports, retentionDays: 90, erasedRecordsDays: 365 });
    await vi.advanceTimersByTimeAsync(1.5 * 3_600_000);
    await worker.stop();
    await vi.advanceTimersByTimeAsync(3 * 3_600_000);
    const keys = [35, 1_000];
    const users = ["90 days", 5_000];
    const erased = ["365 days", 100];
    expect(asked).toEqual([keys, users, erased, keys, users, erased]);
  });

  it("old data is kept without a retention period", async () => {
    const { ports } = setUp(0, nothing);
    const asked: string[] = [];
    ports.database = countingDatabase(ports.database, (text) => {
      asked.push(text);
      return 0;
    });
    const worker = startWorker({ ports, erasedRecordsDays: 0 });
    await vi.advanceTimersByTimeAsync(2.5 * 3_600_000);
    await worker.stop();
    expect(asked).not.toEqual([]);
    expect(asked.filter((text) => /request_expired_erasures|sweep_users/.test(text))).toEqual([]);
  });

  it("a backlog of documents is looked at 200 a second, then every minute", async () => {
    const { ports } = setUp(0, nothing);
    let left = 650;
    ports.database = countingDatabase(ports.database, (text, [limit]) => {
      if (!text.includes("lease_documents")) return 0;
      const count = Math.min(Number(limit), left);
      left -= count;
      return Array(count).fill({ platformId: "plt_1", kycRecordId: "kyc_1", time: 0 });
    });
    ports.database.asPlatform = async () => [] as never;
    const worker = startWorker({ ports });
    const seen = [];
    for (const ms of [500, 1_000, 1_000, 1_000, 55_000, 5_000]) {
      await vi.advanceTimersByTimeAsync(ms);
      seen.push(left);
      if (left === 0) left = 100;
    }
    await worker.stop();
    expect(seen).toEqual([450, 250, 50, 0, 100, 0]);
  });

  it("a hundred users are erased per minute, also after a database outage", async () => {
    const { ports, observed } = setUp(0, nothing);
    let left = 250;
    let away = true;
    ports.database = countingDatabase(ports.database, (text, [limit]) => {
      if (away) throw new Error("away");
      if (!text.includes("erase_users")) return 0;
      const erased = Math.min(Number(limit), left);
      left -= erased;
      return erased;
    });
    const worker = startWorker({ ports });
    await vi.advanceTimersByTimeAsync(30_000);
    away = false;
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(left).toBe(50);
    await vi.advanceTimersByTimeAsync(60_000);
    await worker.stop();
    expect(observed.filter((what) => what === "user_erased")).toHaveLength(250);
  });

  it("the audit gets checkpoints at the start and every five seconds, until the worker stops", async () => {
    const { ports } = fakePorts();
    ports.database = { ...ports.database, withoutPlatform: () => Promise.reject(new Error("away")) };
    const observed: unknown[] = [];
    ports.observer = { observe: (event) => void observed.push(event) };
    const worker = startWorker({ ports });
    await vi.advanceTimersByTimeAsync(12_000);
    await worker.stop();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(observed.filter((event) => event === "audit_checkpoint_failed")).toHaveLength(3);
  });

  it("a pass of every kind that fails is observed with its operation and reason, and runs again", async () => {
    const { ports } = setUp(0, nothing);
    const broken = async () => {
      throw new Failure("SERVICE_UNAVAILABLE", {
        cause: Object.assign(new Error("away"), { code: "57P01" }),
      });
    };
    Object.assign(ports.kycRecords, { pruneKeys: broken, leaseDue: broken });
    ports.database = { ...ports.database, asPlatform: broken, withoutPlatform: broken };
    ports.provider = { ...ports.provider, findAsked: async () => [] };
    const observed: unknown[] = [];
    ports.observer = {
      observe: (event, labels) => {
        if (event === "worker_pass_failed") observed.push([labels?.operation, labels?.reason]);
      },
    };
    const worker = startWorker({ ports, retentionDays: 90 });
    await vi.advanceTimersByTimeAsync(100);
    const failed = [
      "audit.writeReadCounts",
      "evidence.sweep",
      "files.sweep",
      "idempotencyKeys.prune",
      "kyc.checkDocuments",
      "kyc.resolveDue",
      "kyc.resolveLookup",
      "users.eraseDue",
      "users.expire",
      "webhooks.prune",
    ].map((operation) => [operation, "57P01"]);
    expect(observed.splice(0).toSorted()).toEqual(failed);
    await vi.advanceTimersByTimeAsync(3_600_000);
    await worker.stop();
    for (const failure of failed) expect(observed).toContainEqual(failure);
  });
});

it("reports a record that cannot be loaded, and continues with the others", async () => {
  const { ports, load } = setUp(3, async () => ({ outcome: "unknown", reason: "deadline" }));
  const { loadAttempt } = ports.kycRecords;
  ports.kycRecords.loadAttempt = async (platformId, id) => {
    if (id.kycRecordId !== "kyc_1") return loadAttempt(platformId, id);
    throw new Failure("SERVICE_UNAVAILABLE", { cause: new ReasonError("not-authentic") });
  };
  const seen: unknown[] = [];
  ports.observer = { observe: (...what) => void seen.push(what) };
  const worker = startWorker({ ports, intervalMs: 5 });
  await expect.poll(() => load.calls).toBe(2);
  await worker.stop();
  expect(seen).toContainEqual(["kyc_not_loaded", { reason: "not-authentic", kycRecordId: "kyc_1" }]);
});
