import type { AuditOrigin } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { kycAdmin } from "../../src/index.ts";
import { aRequest, keys, makeWorld } from "../support/world.ts";

const { kyc, audit, database, platform } = await makeWorld();
const persons = [{ personId: "per_ada", name: "Ada" }];
const names = async (ids: readonly string[]) => persons.filter(({ personId }) => ids.includes(personId));
const admin = kycAdmin(database, { leaseSeconds: 30, keys, names });
const by: AuditOrigin = {
  actor: "per_ada/key_1",
  requestId: "req_1",
  address: null,
  operation: "records.assign",
};
const ada = { personId: "per_ada", name: "Ada" };
const eve = { personId: "per_eve", name: null };

async function created() {
  const platformId = await platform();
  const { record } = await kyc.createOrReplay(platformId, aRequest());
  return { platformId, id: record.kycRecordId };
}
const entriesOf = async (platformId: string) =>
  (await audit.list([platformId], { limit: 100 })).entries.filter(
    ({ operation }) => operation === by.operation,
  );

test("a record is assigned and released by its version, and its state says who has it", async () => {
  const { platformId, id } = await created();
  expect(await admin.state(id)).toMatchObject({ assignee: null, assignedAt: null, assignmentVersion: 0 });
  expect(await admin.assign(id, { assignee: "per_ada", version: 0 }, by)).toEqual({
    assigned: true,
    assignment: { kycRecordId: id, assignee: ada, version: 1 },
  });
  const assignedAt = expect.stringMatching(/^20.*Z$/);
  expect(await admin.state(id)).toMatchObject({ assignee: ada, assignedAt, assignmentVersion: 1 });
  const shown = await admin.show(id);
  expect(shown).toMatchObject({ assignee: ada, assignedAt, assignmentVersion: 1 });
  expect(await admin.assign(id, { assignee: null, version: 1 }, by)).toMatchObject({
    assigned: true,
    assignment: { assignee: null, version: 2 },
  });
  const released = await admin.state(id);
  expect(released).toMatchObject({ assignee: null, assignedAt, assignmentVersion: 2 });
  expect(released?.assignedAt).not.toBe(shown?.assignedAt);
  expect(await entriesOf(platformId)).toMatchObject([
    { person: "per_ada", actor: "key_1", subject: id, outcome: "done" },
    { person: "per_ada", actor: "key_1", subject: id, outcome: "done" },
  ]);
});

test.each([0, 1])(
  "of concurrent assignments of version %i one wins, and the others hear who has it",
  async (version) => {
    const { platformId, id } = await created();
    if (version === 1) await admin.assign(id, { assignee: null, version: 0 }, by);
    const before = (await entriesOf(platformId)).length;
    const all = ["per_ada", "per_eve", "per_ada", "per_eve", "per_eve"];
    const results = await Promise.all(all.map((assignee) => admin.assign(id, { assignee, version }, by)));
    const winners = results.filter((result) => result?.assigned);
    expect(winners).toHaveLength(1);
    const { assignee } = winners[0]?.assignment ?? {};
    expect([ada, eve]).toContainEqual(assignee);
    for (const result of results)
      expect(result?.assignment).toEqual({ kycRecordId: id, assignee, version: version + 1 });
    expect(await entriesOf(platformId)).toHaveLength(before + 1);
  },
);

test("an assignment of a later version, or of no record, changes nothing", async () => {
  const { id } = await created();
  expect(await admin.assign(id, { assignee: "per_ada", version: 7 }, by)).toEqual({
    assigned: false,
    assignment: { kycRecordId: id, assignee: null, version: 0 },
  });
  expect(await admin.assign("kyc_none", { assignee: "per_ada", version: 0 }, by)).toBeNull();
  expect(await admin.state("kyc_none")).toBeNull();
});
