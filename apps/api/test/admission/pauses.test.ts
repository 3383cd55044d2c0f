import type { CurrentPause } from "@cardbridge/domain";
import { describe, expect, it, vi } from "vitest";
import { createFairSemaphore } from "../../src/admission/fair-semaphore.ts";
import { createKnownPauses, createProviderSlots } from "../../src/admission/pauses.ts";

const minute = 60_000;

/** The pauses that a process knows, with a manual clock, and what it logged. */
function aProcess() {
  const clock = { ms: 1_000 };
  const lines: unknown[] = [];
  const pauses = createKnownPauses({
    now: () => clock.ms,
    onChange: (event, line) => lines.push([event, line]),
  });
  return { clock, lines, pauses };
}

const aPause = (changes: Partial<CurrentPause> = {}): CurrentPause => ({
  pauseId: "pause_1",
  platformId: null,
  reason: "Maintenance",
  endsAt: new Date("2027-01-31T14:00:00Z"),
  endsInMs: 10 * minute,
  ...changes,
});

describe("a pause that a process knows", () => {
  it("holds until its end, without another read", () => {
    const { clock, pauses } = aProcess();
    pauses.replace([aPause()]);
    const states = [0, 9.9, 10, 11].map((minutes) => {
      clock.ms = 1_000 + minutes * minute;
      return [pauses.provider()?.reason ?? null, pauses.counts().provider];
    });
    expect(states).toEqual([
      ["Maintenance", 1],
      ["Maintenance", 1],
      [null, 0],
      [null, 0],
    ]);
  });

  it("is of its target only", () => {
    const { pauses } = aProcess();
    pauses.replace([aPause({ platformId: "plt_1", reason: "A leaked key" })]);
    expect(pauses.platform("plt_1")).toMatchObject({ reason: "A leaked key" });
    expect(pauses.platform("plt_2")).toBeNull();
    expect(pauses.provider()).toBeNull();
    expect(pauses.counts()).toEqual({ provider: 0, platform: 1 });
  });

  it("is logged once at its start and once at its end, with ids only", () => {
    const { lines, pauses } = aProcess();
    const pause = aPause({ platformId: "plt_1" });
    pauses.replace([pause]);
    pauses.replace([pause]);
    pauses.replace([]);
    const line = { pauseId: "pause_1", target: "platform", platformId: "plt_1" };
    expect(lines).toEqual([
      ["pause_started", line],
      ["pause_ended", line],
    ]);
  });
});

describe("the slots for the provider", () => {
  function aProvider() {
    const process = aProcess();
    const semaphore = createFairSemaphore({ capacity: 64 });
    return { ...process, slots: createProviderSlots(semaphore, process.pauses, () => 600), semaphore };
  }

  it("are none during a pause, and calls under way keep theirs", async () => {
    const { pauses, slots, semaphore } = aProvider();
    const held = slots.tryTake("plt_1");
    pauses.replace([aPause({ endsAt: new Date(Date.now() + 3_600_000) })]);
    expect(slots.tryTake("plt_1")).toBeUndefined();
    expect(slots.room("the worker")).toBe(0);
    const work = vi.fn(async () => {});
    const call = slots.run("plt_1", work);
    await expect(call).rejects.toMatchObject({ code: "PROVIDER_PAUSED", details: { retryAfterSeconds: 60 } });
    expect(work).not.toHaveBeenCalled();
    expect(semaphore.usage().inUse).toBe(1);
    held?.release();
    expect(semaphore.usage().inUse).toBe(0);
  });

  it("name the end in Retry-After if it is near", async () => {
    const { pauses, slots } = aProvider();
    pauses.replace([aPause({ endsAt: new Date(Date.now() + 9_999) })]);
    const call = slots.run("plt_1", async () => {});
    await expect(call).rejects.toMatchObject({ details: { retryAfterSeconds: 10 } });
  });

  it("let an hour of a platform's rate wait until the pause ends", () => {
    const { clock, pauses, slots } = aProvider();
    expect(slots.maxUnsent("plt_1")).toBe(600);
    pauses.replace([aPause()]);
    expect(slots.maxUnsent("plt_1")).toBe(36_000);
    clock.ms += 10 * minute;
    expect(slots.maxUnsent("plt_1")).toBe(600);
  });
});
