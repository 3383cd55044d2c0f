import { expect, test } from "vitest";
import { kycAdmin } from "../../src/database.ts";
import { aCaller, keys, makeWorld } from "../support/world.ts";

const { audit, database, submitted } = await makeWorld();
const ada = { personId: "per_ada", name: "Ada" };
const eve = { personId: "per_eve", name: null };
const names = async (ids: readonly string[]) => (ids.includes("per_ada") ? [ada] : []);
const admin = kycAdmin(database, { leaseSeconds: 30, keys, names });
const by = { ...aCaller, actor: "per_ada/key_1", operation: "records.assign" };

const entriesOf = async (platformId: string) =>
  (await audit.list([platformId], { limit: 100 })).entries.filter(
    ({ operation }) => operation === by.operation,
  );

test("a record is assigned and released by its version, and its state says who has it", async () => {
  const { platformId, kycRecordId: id } = await submitted();
  expect(await admin.state(id)).toMatchObject({ assignee: null, assignedAt: null, assignmentVersion: 0 });
  expect(await admin.assign(id, { assignee: "per_ada", version: 0 }, by)).toEqual({
    assigned: true,
    assignment: { kycRecordId: id, assignee: ada, version: 1 },
  });
  const assignedAt = expect.stringMatching(/^20.*Z$/);
  const assigned = { assignee: ada, assignedAt, assignmentVersion: 1 };
  expect(await admin.state(id)).toMatchObject(assigned);
  const shown = await admin.show(id);
  expect(shown).toMatchObject(assigned);
  expect(await admin.assign(id, { assignee: null, version: 1 }, by)).toMatchObject({
    assigned: true,
    assignment: { assignee: null, version: 2 },
  });
  const released = await admin.state(id);
  expect(released).toMatchObject({ assignee: null, assignedAt, assignmentVersion: 2 });
  expect(released?.assignedAt).not.toBe(shown?.assignedAt);
  const entry = { person: "per_ada", actor: "key_1", subject: id, outcome: "done" };
  expect(await entriesOf(platformId)).toMatchObject([entry, entry]);
});

test.each([0, 1])(
  "of concurrent assignments of version %i one wins, and the others hear who has it",
  async (version) => {
    const { platformId, kycRecordId } = await submitted();
    if (version === 1) await admin.assign(kycRecordId, { assignee: null, version: 0 }, by);
    const before = (await entriesOf(platformId)).length;
    const all = ["per_ada", "per_eve", "per_ada", "per_eve", "per_eve"];
    const assign = (assignee: string) => admin.assign(kycRecordId, { assignee, version }, by);
    const results = await Promise.all(all.map(assign));
    const winners = results.filter((result) => result?.assigned);
    expect(winners).toHaveLength(1);
    const { assignee } = winners[0]?.assignment ?? {};
    expect([ada, eve]).toContainEqual(assignee);
    for (const result of results)
      expect(result?.assignment).toEqual({ kycRecordId, assignee, version: version + 1 });
    expect(await entriesOf(platformId)).toHaveLength(before + 1);
  },
);

test("an assignment of a later version, or of no record, changes nothing", async () => {
  const { kycRecordId } = await submitted();
  expect(await admin.assign(kycRecordId, { assignee: "per_ada", version: 7 }, by)).toEqual({
    assigned: false,
    assignment: { kycRecordId, assignee: null, version: 0 },
  });
  expect(await admin.assign("kyc_none", { assignee: "per_ada", version: 0 }, by)).toBeNull();
  expect(await admin.state("kyc_none")).toBeNull();
});
