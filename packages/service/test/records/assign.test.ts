import type { Person } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { listRecordNotes } from "../../src/notes/list.ts";
import { assignRecord } from "../../src/records/assign.ts";
import { countRecords } from "../../src/records/counts.ts";
import { searchRecords } from "../../src/records/search.ts";
import { readRecordState } from "../../src/records/state.ts";
import { codeOf, personCall, rulesOf } from "../support/calls.ts";
import { makeWorld } from "../support/world.ts";

const { audit, person, ports, records, submitted } = await makeWorld();
const ada = { personId: await person({ personId: "per_ada", name: "Ada" }), name: "Ada" };
const eve = { personId: await person({ personId: "per_eve", name: null }), name: null };
const call = personCall(["ops.records.act", "ops.records.read"]);

const assign = (kycRecordId: string, assignee: string | null, version: number) =>
  assignRecord.execute(ports, call, { kycRecordId, assignee, version }).then(({ data }) => data);
const stateOf = async (kycRecordId: string) =>
  (await readRecordState.execute(ports, call, { kycRecordId })).data;
const entriesOf = async (platformId: string) =>
  (await audit.list([platformId], { limit: 100 })).entries.filter(
    ({ operation }) => operation === "records.assign",
  );
const refused = (now: string) => ({
  code: "KYC_RECORD_CONFLICT",
  details: { violations: [{ message: `Another person changed the assignment in between. ${now}` }] },
});

test("a record is assigned and released by its version, and its state says who has it", async () => {
  const { platformId, kycRecordId: id } = await submitted();
  expect(await stateOf(id)).toMatchObject({ assignee: null, assignedAt: null, assignmentVersion: 0 });
  expect(await assign(id, "per_ada", 0)).toEqual({
    kycRecordId: id,
    assignee: ada,
    assignedRole: null,
    version: 1,
  });
  const assignedAt = expect.stringMatching(/^20.*Z$/);
  const assigned = { assignee: ada, assignedAt, assignmentVersion: 1 };
  expect(await stateOf(id)).toMatchObject(assigned);
  const shown = await records.show(id);
  expect(shown).toMatchObject(assigned);
  expect(await assign(id, null, 1)).toEqual({
    kycRecordId: id,
    assignee: null,
    assignedRole: null,
    version: 2,
  });
  const released = await stateOf(id);
  expect(released).toMatchObject({ assignee: null, assignedAt, assignmentVersion: 2 });
  expect(released.assignedAt).not.toBe(shown.assignedAt);
  const entry = { person: "per_ada", actor: "key_1", subject: id, outcome: "done" };
  expect(await entriesOf(platformId)).toMatchObject([entry, entry]);
});

test.each([0, 1])(
  "of concurrent assignments of version %i one wins, and the others hear who has it",
  async (version) => {
    const { platformId, kycRecordId } = await submitted();
    if (version === 1) await assign(kycRecordId, null, 0);
    const before = (await entriesOf(platformId)).length;
    const all = ["per_ada", "per_eve", "per_ada", "per_eve", "per_eve"];
    const results = await Promise.allSettled(all.map((assignee) => assign(kycRecordId, assignee, version)));
    const winners = results.filter(({ status }) => status === "fulfilled");
    expect(winners).toHaveLength(1);
    const { assignee } = await stateOf(kycRecordId);
    expect([ada, eve]).toContainEqual(assignee);
    expect(winners).toMatchObject([{ value: { kycRecordId, assignee, version: version + 1 } }]);
    const reason = refused(`It is assigned to ${assignee?.name ?? assignee?.personId}.`);
    for (const result of results) if (result.status === "rejected") expect(result).toMatchObject({ reason });
    expect(await entriesOf(platformId)).toHaveLength(before + 1);
  },
);

test("an assignment of a later version, to an unknown person or of no record changes nothing", async () => {
  const { platformId, kycRecordId } = await submitted();
  await expect(assign(kycRecordId, "per_ada", 7)).rejects.toMatchObject(refused("It is not assigned now."));
  expect(await codeOf(assign(kycRecordId, "per_none", 0))).toBe("PERSON_NOT_FOUND");
  expect(await codeOf(assign("kyc_none", "per_ada", 0))).toBe("KYC_RECORD_NOT_FOUND");
  expect(await codeOf(stateOf("kyc_none"))).toBe("KYC_RECORD_NOT_FOUND");
  expect(await entriesOf(platformId)).toEqual([]);
});

test("a record that a role has is among those of each of its persons, until a person has it", async () => {
  const { kycRecordId: id } = await submitted();
  const byRole = { kycRecordId: id, role: "compliance" as const, version: 0 };
  const { data } = await assignRecord.execute(ports, call, byRole);
  expect(data).toEqual({ kycRecordId: id, assignee: null, assignedRole: "compliance", version: 1 });
  expect(await stateOf(id)).toMatchObject({ assignee: null, assignedRole: "compliance" });
  const mine = async (roles: Person["roles"], personId = "per_eve") => {
    const caller = personCall(["ops.records.read"], { personId, roles });
    const { records: found } = (await searchRecords.execute(ports, caller, { assignee: "me" })).data;
    const { assignedToMe } = (await countRecords.execute(ports, caller, {})).data;
    return { ids: found.map(({ kycRecordId }) => kycRecordId), assignedToMe };
  };
  expect((await mine(["compliance"])).ids).toContain(id);
  expect((await mine(["support"])).ids).not.toContain(id);
  const before = await mine(["compliance"], "per_cleo");
  await expect(assign(id, "per_ada", 0)).rejects.toMatchObject(
    refused("It is assigned to the role compliance."),
  );
  await assign(id, "per_ada", 1);
  const after = await mine(["compliance"], "per_cleo");
  expect(after.ids).not.toContain(id);
  expect(after.assignedToMe).toBe(before.assignedToMe - 1);
  expect((await mine([], "per_ada")).ids).toContain(id);
  const unassigned = await searchRecords.execute(ports, call, { assignee: "none" });
  expect(unassigned.data.records.map(({ kycRecordId }) => kycRecordId)).not.toContain(id);
});

test("a note is stored with the assignment and audited once, and not without it", async () => {
  const { platformId, kycRecordId: id } = await submitted();
  const handOver = {
    kycRecordId: id,
    role: "compliance",
    version: 0,
    note: "The images look altered.",
  } as const;
  expect(await rulesOf(assignRecord.execute(ports, call, { ...handOver, assignee: "per_ada" }))).toEqual([
    "one-assignee",
  ]);
  await assignRecord.execute(ports, call, handOver);
  expect(await codeOf(assignRecord.execute(ports, call, handOver))).toBe("KYC_RECORD_CONFLICT");
  const { notes } = (await listRecordNotes.execute(ports, call, { kycRecordId: id })).data;
  expect(notes).toMatchObject([{ text: handOver.note, by: ada, restricted: false }]);
  expect(await entriesOf(platformId)).toHaveLength(1);
});
