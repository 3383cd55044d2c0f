import { expect, test } from "vitest";
import { assignRecord } from "../../src/records/assign.ts";
import { readRecordState } from "../../src/records/state.ts";
import { codeOf, personCall } from "../support/calls.ts";
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
  expect(await assign(id, "per_ada", 0)).toEqual({ kycRecordId: id, assignee: ada, version: 1 });
  const assignedAt = expect.stringMatching(/^20.*Z$/);
  const assigned = { assignee: ada, assignedAt, assignmentVersion: 1 };
  expect(await stateOf(id)).toMatchObject(assigned);
  const shown = await records.show(id);
  expect(shown).toMatchObject(assigned);
  expect(await assign(id, null, 1)).toEqual({ kycRecordId: id, assignee: null, version: 2 });
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
