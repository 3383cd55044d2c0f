import { describe, expect, it } from "vitest";
import { describeEntry } from "../../src/web/record/describe-entry.ts";
import { type Attempt, mergeTimeline, type TimelineParts } from "../../src/web/record/timeline.ts";

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 31, 12, minutes)).toISOString();
const none: TimelineParts = {
  ...{
    createdAt: at(0),
    history: [],
    requestHistory: [],
    expiryHistory: [],
    deliveries: [],
    attempts: [],
    notes: [],
    views: [],
  },
  ...{ assignee: null, assignedAt: null, persons: [], renews: null, renewal: null },
};
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

  it("says when the document expired, and that a renewal was submitted", () => {
    const entries = mergeTimeline({
      ...none,
      renews: "kyc_01jexample0000000000000000",
      expiryHistory: [
        { documentExpiry: "expiring", observedAt: at(1) },
        { documentExpiry: "expired", observedAt: at(3) },
      ],
      renewal: { createdAt: at(2) },
    });
    expect(
      entries.map((entry) => describeEntry(entry)).map(({ title, meaning }) => [title, meaning]),
    ).toEqual([
      ["The document has expired", "bad"],
      ["A renewal was submitted", "plain"],
      ["The document expires soon", "attention"],
      ["Submitted by the platform, to renew an approval", "plain"],
    ]);
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

describe("what the provider asks for", () => {
  const request: TimelineParts["requestHistory"][number] = {
    ...{ documentRequestId: "dreq_1", documentType: "BANK_STATEMENT", observedAt: at(1) },
    ...{ status: "open", source: "event" },
  };

  it("is in the timeline when it is asked for, answered and closed, also of a type without words", () => {
    const entries = mergeTimeline({
      ...none,
      requestHistory: [
        request,
        { ...request, status: "answered", source: "submission", observedAt: at(2) },
        // A refusal of the files opens the request again.
        { ...request, source: "provider", observedAt: at(3) },
        { ...request, documentType: "SOURCE_OF_FUNDS", status: "closed", observedAt: at(4) },
      ],
    });
    expect(new Set(entries.map(({ id }) => id)).size).toBe(5);
    expect(entries.map(describeEntry).map(({ title, detail }) => [title, detail])).toEqual([
      ["No longer asked for: Source of funds", "Provider’s event"],
      ["Asked for: Bank statement", "Provider’s reply"],
      ["Answered: Bank statement", "The platform’s answer"],
      ["Asked for: Bank statement", "Provider’s event"],
      ["Submitted by the platform", undefined],
    ]);
  });
});

describe("who looked at a record and who has it", () => {
  const ada: { personId: string; name: string | null } = { personId: "per_ada", name: "Ada" };
  const view = (minutes: number, by: typeof ada | null = ada, actor = `${by?.personId}/key_1`) => ({
    ...{ by, actor, at: at(minutes) },
  });
  const titles = (parts: Partial<TimelineParts>) =>
    mergeTimeline({ ...none, ...parts }).map((entry) => describeEntry(entry).title);

  it("makes one entry of a person's views within four hours, also with another key", () => {
    const views = [view(260, ada, "per_ada/key_2"), view(130), view(10)];
    const [entry, ...others] = mergeTimeline({ ...none, views });
    expect(entry).toMatchObject({ kind: "view", at: at(260), firstAt: at(10) });
    expect(others.map(({ kind }) => kind)).toEqual(["submitted"]);
  });

  it("keeps views apart that are hours apart, or that have something between them", () => {
    const ben = { personId: "per_ben", name: "Ben" };
    expect(mergeTimeline({ ...none, views: [view(250), view(10)] })).toHaveLength(3);
    expect(titles({ views: [view(9), view(5, ben), view(1)] }).slice(0, 3)).toEqual([
      "Viewed by Ada",
      "Viewed by Ben",
      "Viewed by Ada",
    ]);
    expect(mergeTimeline({ ...none, views: [view(5), view(1)], notes: [note] })).toHaveLength(4);
  });

  it("names callers without a person, and persons without a name", () => {
    const views = [view(3, null, "claim:eve"), view(2, null, "key_1"), view(1, { ...ada, name: null })];
    expect(titles({ views }).slice(0, 3)).toEqual([
      "Viewed by eve, on the command line",
      "Viewed by key_1",
      "Viewed by Signed-in person",
    ]);
  });

  it("has the assignment or the release at its time, and nothing of a record that nobody had", () => {
    expect(titles({ assignee: ada, assignedAt: at(4), notes: [note] })[0]).toBe("Assigned to Ada");
    expect(titles({ assignedAt: at(4) })[0]).toBe("Released");
    expect(titles({})).toEqual(["Submitted by the platform"]);
  });
});

describe("who decided and who asked", () => {
  const cleo = { personId: "per_cleo", name: "Cleo" };
  const cora = { personId: "per_cora", name: "Cora" };
  const change = {
    resolution: "answered",
    status: "APPROVED",
    subStatus: "approved",
    source: "person",
  } as const;
  const decided = (
    by: string,
    proposedBy: string | null,
    persons: TimelineParts["persons"] = [cleo, cora],
  ) => {
    const [entry] = mergeTimeline({
      ...{ ...none, persons, notes: [], history: [{ ...change, observedAt: at(1), by, proposedBy }] },
    });
    const { people = [] } = entry ? describeEntry(entry) : {};
    return people.map(({ name, personId, did }) => [name, personId, did]);
  };

  it("names both persons of a manual approval, by their names from the beginning", () => {
    expect(decided("per_cora/key_1", "per_cleo/key_1")).toEqual([
      ["Cleo", "per_cleo", "proposed"],
      ["Cora", "per_cora", "confirmed"],
    ]);
  });

  it("names one person, the command line, and a person without a name", () => {
    expect(decided("per_cora/key_1", null)).toEqual([["Cora", "per_cora", "decided"]]);
    expect(decided("claim:eve", null)).toEqual([["eve, on the command line,", null, "decided"]]);
    expect(decided("per_cora/key_1", null, [])).toEqual([["Signed-in person", "per_cora", "decided"]]);
  });

  it("names who asked the provider", () => {
    const [entry] = mergeTimeline({
      ...none,
      persons: [cora],
      attempts: [poll(1, 1, { by: "per_cora/key_1" })],
    });
    expect(entry && describeEntry(entry).detail).toMatch(/^Cora · attempt 1/);
  });

  it("says that nothing was sent while the provider cannot be reached, without a code", () => {
    const unsent = poll(1, 1, { outcome: "unsent", reason: "breaker-open" });
    const [entry] = mergeTimeline({ ...none, attempts: [unsent] });
    const { title, raw } = entry ? describeEntry(entry) : { title: "" };
    expect([title, raw]).toEqual(["Not sent: the provider cannot be reached", undefined]);
  });
});
