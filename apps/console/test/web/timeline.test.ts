import { describe, expect, it } from "vitest";
import { describeEntry } from "../../src/web/lib/describe-entry.ts";
import { type Attempt, mergeTimeline, type TimelineParts } from "../../src/web/lib/timeline.ts";

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 31, 12, minutes)).toISOString();
const none: TimelineParts = { createdAt: at(0), history: [], deliveries: [], attempts: [], notes: [] };
const poll = (number: number, minutes: number, fields: Partial<Attempt> = {}): Attempt => ({
  number,
  lastNumber: number,
  step: "ask",
  startedAt: at(minutes),
  lastStartedAt: at(minutes),
  milliseconds: 400,
  outcome: "unknown",
  reason: "timeout",
  by: "worker",
  count: 1,
  ...fields,
});
const note = { noteId: "note_1", text: "Rang them.", restricted: false, by: null, createdAt: at(3) };

describe("the timeline of a record", () => {
  it("is newest first, and keeps the order of causes within a moment", () => {
    const change = { resolution: "answered", status: "APPROVED", subStatus: "approved" } as const;
    const entries = mergeTimeline({
      ...none,
      attempts: [poll(1, 1, { outcome: "answered", reason: null })],
      history: [
        { resolution: "unresolved", status: null, subStatus: null, source: "submission", observedAt: at(0) },
        { ...change, source: "provider", observedAt: at(1) },
      ],
      notes: [note],
    });
    expect(entries.map(({ kind }) => kind)).toEqual(["note", "change", "attempt", "submitted"]);
  });

  it("makes one entry of equal attempts, with their number and their times", () => {
    const [entry, ...others] = mergeTimeline({
      ...none,
      attempts: [poll(2, 1), poll(3, 2, { lastNumber: 9, count: 7 })],
    });
    expect(others.map(({ kind }) => kind)).toEqual(["submitted"]);
    expect(entry).toMatchObject({
      at: at(2),
      firstAt: at(1),
      attempt: { number: 2, lastNumber: 9, count: 8 },
    });
    expect(entry && describeEntry(entry).title).toBe("Asked: provider timed out 8×");
  });

  it("keeps attempts apart that differ, or that have something between them", () => {
    const differ = mergeTimeline({ ...none, attempts: [poll(2, 1), poll(3, 2, { reason: "wrong-shape" })] });
    expect(differ).toHaveLength(3);
    const interrupted = mergeTimeline({ ...none, attempts: [poll(2, 1), poll(3, 5)], notes: [note] });
    expect(interrupted.map(({ kind }) => kind)).toEqual(["attempt", "note", "attempt", "submitted"]);
  });
});
