import { describe, expect, it } from "vitest";
import { snapshotOf } from "../../src/web/record/snapshot.ts";

const readAt = "2026-01-31T12:00:00.000Z";
const later = "2026-01-31T12:00:15.000Z";
const record = {
  ...{ version: "1", attempt: 2, leaseUntil: null, needsAttentionSince: null, notes: 1, readAt },
  ...{
    status: "PENDING_APPROVAL",
    next: { operator: "The provider reviews it.", person: "We still check." },
  },
  ...{ assignee: null, assignedRole: null, assignedAt: null, assignmentVersion: 0 },
};
type ShownRecord = Parameters<typeof snapshotOf>[0];
type State = NonNullable<Parameters<typeof snapshotOf>[1]>;
const shownRecord = record as unknown as ShownRecord;
const snapshot = (change: Partial<State>) =>
  snapshotOf(shownRecord, { ...(record as unknown as State), readAt: later, ...change });

describe("a record that changes while it is open", () => {
  it("keeps the status, the sentence and the words for the person of one reading, and says that it changed", () => {
    const { shown, isChanged, isStale } = snapshot({ status: "APPROVED", version: "2" });
    expect(shown).toEqual(record);
    expect([isChanged, isStale]).toEqual([true, true]);
  });

  it("says that an attempt or a note came, which changes no words for the person", () => {
    const changes: Partial<State>[] = [{ attempt: 3 }, { notes: 2 }, { leaseUntil: later }];
    for (const change of changes) {
      const { isChanged, isStale } = snapshot(change);
      expect([isChanged, isStale]).toEqual([true, false]);
    }
  });

  it("says that its document expired, which changes the sentences", () => {
    const { isChanged, isStale } = snapshot({ documentExpiry: "expired" });
    expect([isChanged, isStale]).toEqual([true, true]);
  });

  it("shows at once who has it", () => {
    for (const holder of [
      { assignee: { personId: "per_ada", name: "Ada" } },
      { assignedRole: "compliance" as const },
    ]) {
      const { shown, isChanged } = snapshot({ assignmentVersion: 1, assignedAt: later, ...holder });
      expect(shown).toEqual({ ...record, ...holder, assignedAt: later, assignmentVersion: 1 });
      expect(isChanged).toBe(false);
    }
  });

  it("ignores a state that is older than the record", () => {
    const old = snapshot({ version: "0", readAt: "2026-01-31T11:59:59.000Z" });
    expect(old).toEqual({ shown: record, isChanged: false, isStale: false });
    expect(snapshotOf(shownRecord, undefined)).toEqual(old);
  });
});
