import type { Failure, NewNote, OperatorScope } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { addRecordNote } from "../../src/records/add-note.ts";
import { assignRecord } from "../../src/records/assign.ts";
import { listRecordAttempts } from "../../src/records/attempts.ts";
import { exampleAttempt, exampleNote, exampleState } from "../../src/records/example.ts";
import { listRecordNotes } from "../../src/records/notes.ts";
import { requeueRecordManually } from "../../src/records/requeue.ts";
import { readRecordState } from "../../src/records/state.ts";
import { callOf, operatorCall } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const kycRecordId = "kyc_1";
const state = { ...exampleState, kycRecordId };
const failureOf = (call: Promise<unknown>): Promise<Failure> =>
  call.then(
    () => Promise.reject("done"),
    (error) => error,
  );
const messageOf = async (call: Promise<unknown>) => (await failureOf(call)).details.violations?.[0]?.message;
const app = (...scopes: OperatorScope[]) => ({
  ...callOf("internal", { scopes }),
  actor: "key_1",
  person: {
    personId: "per_ada",
    roles: [],
    platforms: "all" as const,
    authenticatedAt: null,
    expiresAt: new Date(0),
  },
});

it("reading the state or the attempts is not audited", async () => {
  const { ports, audited } = fakePorts();
  ports.kycAdmin.state = async () => state;
  ports.kycAdmin.attempts = async () => [exampleAttempt];
  expect((await readRecordState.execute(ports, operatorCall, { kycRecordId })).data).toEqual(state);
  const { data } = await listRecordAttempts.execute(ports, operatorCall, { kycRecordId });
  expect(data).toEqual({ kycRecordId, attempts: [exampleAttempt], persons: [] });
  expect(audited).toEqual([]);
});

describe("a requeue", () => {
  it("returns the new state, and leaves the audit to the repository", async () => {
    const { ports, audited } = fakePorts();
    const calls: unknown[] = [];
    ports.kycAdmin.state = async () => state;
    ports.kycAdmin.requeue = async (...args) => calls.push(args) > 0;
    const { data } = await requeueRecordManually.execute(ports, app("ops.records.act"), { kycRecordId });
    expect(data).toEqual(state);
    expect(calls).toMatchObject([[kycRecordId, { operation: "records.requeue", actor: "per_ada/key_1" }]]);
    expect(audited).toEqual([]);
  });

  it("is refused for a record that needs no attention, or does not exist", async () => {
    const { ports } = fakePorts();
    ports.kycAdmin.requeue = async () => false;
    const refused = () => requeueRecordManually.execute(ports, operatorCall, { kycRecordId });
    expect(await failureOf(refused())).toMatchObject({ code: "KYC_RECORD_CONFLICT" });
    expect(await messageOf(refused())).toContain("does not need attention");
    ports.kycAdmin.requeue = async () => null;
    expect(await failureOf(refused())).toMatchObject({ code: "KYC_RECORD_NOT_FOUND" });
  });
});

describe("an assignment", () => {
  const eve = { personId: "per_eve", name: "Eve" };
  const assign = (
    assignee: string | null,
    result: { assigned: boolean; holder: typeof eve | null } | null,
  ) => {
    const { ports } = fakePorts();
    ports.persons.names = async (ids) => [eve].filter(({ personId }) => ids.includes(personId));
    ports.kycAdmin.assign = async () =>
      result && {
        assigned: result.assigned,
        assignment: { kycRecordId, assignee: result.holder, version: 2 },
      };
    return assignRecord.execute(ports, operatorCall, { kycRecordId, assignee, version: 1 });
  };

  it("returns the person and the new version", async () => {
    expect((await assign("per_eve", { assigned: true, holder: eve })).data).toEqual({
      kycRecordId,
      assignee: eve,
      version: 2,
    });
  });

  it("that comes second says who has the record", async () => {
    expect(await messageOf(assign("per_eve", { assigned: false, holder: eve }))).toBe(
      "Another person changed the assignment in between. It is assigned to Eve.",
    );
    expect(await messageOf(assign(null, { assigned: false, holder: null }))).toContain("not assigned now");
  });

  it("is for known persons and records", async () => {
    expect(await failureOf(assign("per_none", { assigned: true, holder: null }))).toMatchObject({
      code: "PERSON_NOT_FOUND",
    });
    expect(await failureOf(assign("per_eve", null))).toMatchObject({ code: "KYC_RECORD_NOT_FOUND" });
  });
});

describe("notes", () => {
  it("are read with the restricted ones by compliance and at the command line only", async () => {
    const { ports } = fakePorts();
    const asked: boolean[] = [];
    ports.recordNotes.list = async (_id, restricted) => {
      asked.push(restricted);
      return { notes: [exampleNote], hidden: 1 };
    };
    for (const call of [app("ops.records.read"), app("ops.records.read", "ops.compliance"), operatorCall]) {
      const { data } = await listRecordNotes.execute(ports, call, { kycRecordId });
      expect(data).toEqual({ kycRecordId, notes: [exampleNote], hidden: 1 });
    }
    expect(asked).toEqual([false, true, true]);
    ports.recordNotes.list = async () => null;
    expect(await failureOf(listRecordNotes.execute(ports, operatorCall, { kycRecordId }))).toMatchObject({
      code: "KYC_RECORD_NOT_FOUND",
    });
  });

  it("name their author, and are restricted by compliance only", async () => {
    const { ports } = fakePorts();
    const added: NewNote[] = [];
    ports.recordNotes.add = async (_id, note) => {
      added.push(note);
      return exampleNote;
    };
    const support = app("ops.records.act");
    await addRecordNote.execute(ports, support, { kycRecordId, text: "A note" });
    expect(added).toEqual([
      { noteId: "note_new", text: "A note", restricted: false, actor: "per_ada/key_1", personId: "per_ada" },
    ]);
    const restricted = { kycRecordId, text: "A note", restricted: true };
    expect(await failureOf(addRecordNote.execute(ports, support, restricted))).toMatchObject({
      code: "SCOPE_MISSING",
    });
    await addRecordNote.execute(ports, app("ops.records.act", "ops.compliance"), restricted);
    expect(added).toHaveLength(2);
  });

  it.each(["", " \n", "a\u0000b", "x".repeat(4_001)])("have text: %j", async (text) => {
    const { ports } = fakePorts();
    expect(await failureOf(addRecordNote.execute(ports, operatorCall, { kycRecordId, text }))).toMatchObject({
      code: "INVALID_INPUT",
    });
  });
});
