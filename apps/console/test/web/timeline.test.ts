import { describe, expect, it } from "vitest";
import { mergeTimeline, type TimelineEntry } from "../../src/web/record/timeline.ts";

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 31, 12, minutes)).toISOString();
type ShownRecord = Parameters<typeof mergeTimeline>[0];
type Attempt = Parameters<typeof mergeTimeline>[1]["attempts"][number];
type Note = Parameters<typeof mergeTimeline>[2][number];

const of = { kycRecordId: "kyc_1" };

/** The fields of a record from which a timeline is made. */
const none = {
  ...{ createdAt: at(0), history: [], requestHistory: [], expiryHistory: [], deliveries: [], views: [] },
  ...{ openings: [], assignee: null, assignedRole: null, assignedAt: null, persons: [] },
  ...{ renews: null, renewal: null },
};
const timeline = (record: object, attempts: Attempt[] = [], notes: Note[] = []): TimelineEntry[] =>
  mergeTimeline({ ...none, ...record } as unknown as ShownRecord, { ...of, attempts, persons: [] }, notes);
const titles = (...parts: Parameters<typeof timeline>) => timeline(...parts).map(({ title }) => title);

const poll = (number: number, minutes: number, fields: Partial<Attempt> = {}): Attempt => ({
  ...{ number, lastNumber: number, step: "ask", startedAt: at(minutes), lastStartedAt: at(minutes) },
  ...{ milliseconds: 400, outcome: "unknown", reason: "timeout", words: "the provider timed out" },
  ...{ by: "worker", count: 1 },
  ...fields,
});
const ada: { personId: string; name: string | null } = { personId: "per_ada", name: "Ada" };
const ben = { personId: "per_ben", name: "Ben" };
const note: Note = {
  ...{ noteId: "note_1", text: "Rang them.", restricted: false, createdAt: at(3) },
  ...{ by: ada, actor: "per_ada/key_1" },
};

describe("the timeline of a record", () => {
  it("is newest first, and keeps the order of causes within a moment", () => {
    const change = { resolution: "answered", status: "APPROVED", subStatus: "approved" };
    const history = [
      { resolution: "unresolved", status: null, subStatus: null, source: "submission", observedAt: at(0) },
      { ...change, source: "provider", observedAt: at(1) },
    ];
    const attempts = [poll(1, 1, { outcome: "answered", reason: null, words: "the provider answered" })];
    expect(titles({ history }, attempts, [note])).toEqual([
      "Note: Ada",
      "Approved",
      "Asked: the provider answered",
      "Submitted by the platform",
    ]);
  });

  it("says when the document expired, and that a renewal was submitted", () => {
    const entries = timeline({
      renews: "kyc_01jexample0000000000000000",
      expiryHistory: [
        { documentExpiry: "expiring", observedAt: at(1) },
        { documentExpiry: "expired", observedAt: at(3) },
      ],
      renewal: { createdAt: at(2) },
    });
    expect(entries.map(({ title, meaning }) => [title, meaning])).toEqual([
      ["The document has expired", "bad"],
      ["A renewal was submitted", "plain"],
      ["The document expires soon", "attention"],
      ["Submitted by the platform, to renew an approval", "plain"],
    ]);
  });

  it("makes one entry of equal attempts, with their numbers and their times", () => {
    const [entry, ...others] = timeline({}, [poll(2, 1), poll(3, 2, { lastNumber: 9, count: 7 })]);
    expect(others).toHaveLength(1);
    expect(entry).toMatchObject({
      ...{ at: at(2), firstAt: at(1), title: "Asked: the provider timed out 8×" },
      detail: "worker · attempts 2–9",
    });
  });

  it("keeps attempts apart that differ, or that have something between them", () => {
    expect(timeline({}, [poll(2, 1), poll(3, 2, { reason: "wrong-shape" })])).toHaveLength(3);
    expect(timeline({}, [poll(2, 1), poll(3, 5)], [note])).toHaveLength(4);
  });

  it("says that nothing was sent", () => {
    const unsent = poll(1, 1, { outcome: "unsent", reason: "breaker-open", words: "it cannot be reached" });
    expect(titles({}, [unsent])[0]).toBe("Not sent: it cannot be reached");
  });

  it("has the notes with their text, and marks those that only compliance reads", () => {
    const restricted = { ...note, noteId: "note_2", by: null, restricted: true, createdAt: at(4) };
    const [newest, other] = timeline({}, [], [note, restricted]);
    expect(newest?.title).toBe("Note: an app without a person · compliance only");
    expect(other).toMatchObject({ title: "Note: Ada", detail: "Rang them." });
  });

  it("leads from a delivery to its page", () => {
    const ids = { deliveryId: "whd_1", endpointId: "whe_1" };
    const delivery = { ...ids, status: "failed", attempts: 3, createdAt: at(1), deliveredAt: null };
    const title = "Webhook failed";
    expect(timeline({ deliveries: [delivery] })[0]).toMatchObject({ title, delivery: ids });
  });
});

describe("what the provider asks for", () => {
  const request = {
    ...{ documentRequestId: "dreq_1", documentType: "BANK_STATEMENT", observedAt: at(1) },
    ...{ status: "open", source: "event" },
  };

  it("is in the timeline when it is asked for, answered and closed, also of a type without words", () => {
    const entries = timeline({
      requestHistory: [
        request,
        { ...request, status: "answered", source: "submission", observedAt: at(2) },
        // A refusal of the files opens the request again.
        { ...request, source: "provider", observedAt: at(3) },
        { ...request, documentType: "SOURCE_OF_FUNDS", status: "closed", observedAt: at(4) },
      ],
    });
    expect(new Set(entries.map(({ id }) => id)).size).toBe(5);
    expect(entries.map(({ title, detail }) => [title, detail])).toEqual([
      ["No longer asked for: Source of funds", "Provider’s event"],
      ["Asked for: Bank statement", "Provider’s reply"],
      ["Answered: Bank statement", "The platform’s answer"],
      ["Asked for: Bank statement", "Provider’s event"],
      ["Submitted by the platform", undefined],
    ]);
  });
});

describe("who looked at a record and who has it", () => {
  const view = (minutes: number, by: typeof ada | null = ada, actor = `${by?.personId}/key_1`) => ({
    ...{ by, actor, at: at(minutes) },
  });

  it("makes one entry of a person's views within four hours, also with another key", () => {
    const views = [view(260, ada, "per_ada/key_2"), view(130), view(10)];
    const [entry, ...others] = timeline({ views });
    expect(entry).toMatchObject({ title: "Viewed by Ada", at: at(260), firstAt: at(10) });
    expect(others).toHaveLength(1);
  });

  it("keeps views apart that are hours apart, or that have something between them", () => {
    expect(timeline({ views: [view(250), view(10)] })).toHaveLength(3);
    expect(titles({ views: [view(9), view(5, ben), view(1)] }).slice(0, 3)).toEqual([
      "Viewed by Ada",
      "Viewed by Ben",
      "Viewed by Ada",
    ]);
    expect(timeline({ views: [view(5), view(1)] }, [], [note])).toHaveLength(4);
  });

  it("has each opening of the evidence, with its purpose and who it was", () => {
    const opening = { by: ada, purpose: "fraud", at: at(5) };
    const openings = [opening, { ...opening, by: ben, purpose: "review", at: at(4) }];
    expect(timeline({ openings }).map(({ title, detail }) => [title, detail])).toEqual([
      ["Evidence opened by Ada", "For suspected fraud"],
      ["Evidence opened by Ben", "For review"],
      ["Submitted by the platform", undefined],
    ]);
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
    expect(titles({ assignee: ada, assignedAt: at(4) }, [], [note])[0]).toBe("Assigned to Ada");
    expect(titles({ assignedRole: "compliance", assignedAt: at(4) })[0]).toBe("Assigned to compliance");
    expect(titles({ assignedAt: at(4) })[0]).toBe("Released");
    expect(titles({})).toEqual(["Submitted by the platform"]);
  });
});

describe("who decided and who asked", () => {
  const change = { resolution: "answered", status: "APPROVED", subStatus: "approved", source: "person" };
  const decided = (by: string, proposedBy: string | null, persons = [ada, ben]) => {
    const [entry] = timeline({ persons, history: [{ ...change, observedAt: at(1), by, proposedBy }] });
    return entry?.people?.map(({ name, personId, did }) => [name, personId, did]);
  };

  it("names both persons of a manual approval", () => {
    expect(decided("per_ben/key_1", "per_ada/key_1")).toEqual([
      ["Ada", "per_ada", "proposed"],
      ["Ben", "per_ben", "confirmed"],
    ]);
  });

  it("names one person, the command line, and a person without a name", () => {
    expect(decided("per_ben/key_1", null)).toEqual([["Ben", "per_ben", "decided"]]);
    expect(decided("claim:eve", null)).toEqual([["eve, on the command line", null, "decided"]]);
    expect(decided("per_ben/key_1", null, [])).toEqual([["Signed-in person", "per_ben", "decided"]]);
  });

  it("names who asked the provider", () => {
    const [entry] = timeline({ persons: [ada] }, [poll(1, 1, { by: "per_ada/key_1" })]);
    expect(entry?.detail).toBe("Ada · attempt 1");
  });
});
