import type { NewNote, OperatorScope } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { addRecordNote } from "../../src/records/add-note.ts";
import { assignRecord } from "../../src/records/assign.ts";
import { exampleNote, exampleState } from "../../src/records/example.ts";
import { listRecordNotes } from "../../src/records/notes.ts";
import { requeueRecordManually } from "../../src/records/requeue.ts";
import { readRecordState } from "../../src/records/state.ts";
import { codeOf, operatorCall, personCall } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const kycRecordId = "kyc_1";
const state = { ...exampleState, kycRecordId };
const messageOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    ({ details }) => details.violations[0].message,
  );

it("a requeue returns the new state, and leaves the audit to the repository; reading a state is not audited", async () => {
  const { ports, audited } = fakePorts();
  const by: unknown[] = [];
  ports.kycAdmin.state = async () => state;
  ports.kycAdmin.requeue = async (...args) => by.push(args) > 0;
  const call = personCall(["ops.records.act"]);
  expect((await requeueRecordManually.execute(ports, call, { kycRecordId })).data).toEqual(state);
  expect(by).toMatchObject([[kycRecordId, { operation: "records.requeue", actor: "per_ada/key_1" }]]);
  expect((await readRecordState.execute(ports, operatorCall, { kycRecordId })).data).toEqual(state);
  expect(audited).toEqual([]);
});

it.each([
  { requeued: false, code: "KYC_RECORD_CONFLICT" },
  { requeued: null, code: "KYC_RECORD_NOT_FOUND" },
])("a requeue of a record that needs no attention, or does not exist, is $code", async (example) => {
  const { ports } = fakePorts();
  ports.kycAdmin.requeue = async () => example.requeued;
  const call = requeueRecordManually.execute(ports, operatorCall, { kycRecordId });
  expect(await codeOf(call)).toBe(example.code);
});

describe("an assignment", () => {
  const eve = { personId: "per_eve", name: "Eve" };
  const assign = (
    assigned: boolean | null,
    holder: typeof eve | null,
    assignee: string | null = "per_eve",
  ) => {
    const { ports } = fakePorts();
    ports.persons.names = async (ids) => [eve].filter(({ personId }) => ids.includes(personId));
    const assignment = { kycRecordId, assignee: holder, version: 2 };
    ports.kycAdmin.assign = async () => (assigned === null ? null : { assigned, assignment });
    return assignRecord.execute(ports, operatorCall, { kycRecordId, assignee, version: 1 });
  };

  it("returns the person and the new version; the second one is told who has the record", async () => {
    expect((await assign(true, eve)).data).toEqual({ kycRecordId, assignee: eve, version: 2 });
    expect(await messageOf(assign(false, eve))).toBe(
      "Another person changed the assignment in between. It is assigned to Eve.",
    );
    expect(await messageOf(assign(false, null, null))).toContain("not assigned now");
  });

  it("is for known persons and records", async () => {
    expect(await codeOf(assign(true, null, "per_none"))).toBe("PERSON_NOT_FOUND");
    expect(await codeOf(assign(null, null))).toBe("KYC_RECORD_NOT_FOUND");
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
    const callers = [
      personCall(["ops.records.read"]),
      personCall(["ops.records.read", "ops.compliance"]),
      operatorCall,
    ];
    for (const call of callers) await listRecordNotes.execute(ports, call, { kycRecordId });
    expect(asked).toEqual([false, true, true]);
    ports.recordNotes.list = async () => null;
    const missing = listRecordNotes.execute(ports, operatorCall, { kycRecordId });
    expect(await codeOf(missing)).toBe("KYC_RECORD_NOT_FOUND");
  });

  it("name their author, have text, and are restricted by compliance only", async () => {
    const { ports } = fakePorts();
    const added: NewNote[] = [];
    ports.recordNotes.add = async (_id, note) => {
      added.push(note);
      return exampleNote;
    };
    const add = (scopes: readonly OperatorScope[], input: { text: string; restricted?: boolean }) =>
      codeOf(addRecordNote.execute(ports, personCall(scopes), { kycRecordId, ...input }));
    const text = "A note";
    expect(await add(["ops.records.act"], { text })).toBe("done");
    const author = { actor: "per_ada/key_1", personId: "per_ada" };
    expect(added).toEqual([{ noteId: "note_new", text, restricted: false, ...author }]);
    expect(await add(["ops.records.act"], { text, restricted: true })).toBe("SCOPE_MISSING");
    expect(await add(["ops.records.act", "ops.compliance"], { text, restricted: true })).toBe("done");
    for (const invalid of ["", " \n", "a\u0000b", "x".repeat(4_001)])
      expect(await add(["ops.records.act"], { text: invalid })).toBe("INVALID_INPUT");
    expect(added).toHaveLength(2);
  });
});
