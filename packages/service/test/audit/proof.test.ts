import { auditProof, type PersonPlatforms } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { proveAudit } from "../../src/audit/proof.ts";
import { auditMonthsWorld, pastMonth } from "../support/audit-months.ts";
import { codeOf, personCall } from "../support/calls.ts";
import { aCaller, makeWorld } from "../support/world.ts";

const world = await makeWorld();
const { audit, platform, checkpointAll, ports } = world;
const { createMonth, moveTo, exportMonth, drop } = auditMonthsWorld(world);

type Entry = Partial<Parameters<typeof audit.append>[1]>;
const append = (platformId: string, entry: Entry = {}) =>
  audit.append(platformId, { ...aCaller, subject: "kyc_1", outcome: "done", ...entry });
const limits = { entries: 3, pages: 2, hashed: 10 };
const prove = (platforms: PersonPlatforms, query: object = {}) =>
  proveAudit(limits).execute(ports, personCall(["ops.audit"], { platforms }), query);

/** The entries of each platform as operation, checkpoint and index. */
async function proven(platforms: PersonPlatforms, query: object = {}) {
  const { data } = await prove(platforms, query);
  expect(auditProof.parse(data)).toEqual(data);
  return Object.fromEntries(
    data.platforms.map(({ platformId, entries }) => [
      platformId,
      entries.map(({ entry, checkpoint, index }) => [entry.operation, checkpoint, index]),
    ]),
  );
}

test("proves what the search finds on each platform that the caller may access, oldest first", async () => {
  const [one, two, quiet, other] = [await platform(), await platform(), await platform(), await platform()];
  const opened = { operation: "records.submission", actor: "per_ada/key_app" };
  await append(one, opened);
  await append(two, opened);
  await append(one);
  await append(quiet);
  await append(other, opened);
  const [published] = await checkpointAll(one);
  await append(one, { ...opened, outcome: "replayed" });
  const mine = [one, two, quiet];
  const query = { operation: "records.submission", personId: "per_ada" };
  expect(await proven(mine, query)).toEqual({
    [one]: [
      ["records.submission", 1, 0],
      ["records.submission", null, null],
    ],
    [two]: [["records.submission", null, null]],
  });
  const { data } = await prove(mine, { ...query, outcome: "done", platformIds: [one] });
  expect(data).toMatchObject({
    query: { ...query, outcome: "done", platformIds: [one] },
    platforms: [{ platformId: one, checkpoints: [{ number: 1, root: published?.root }] }],
  });
  expect(JSON.stringify(data)).not.toContain(two);
  expect(await codeOf(prove(mine, { platformId: other }))).toBe("PLATFORM_NOT_FOUND");
});

test("is audited", async () => {
  await prove("all", { subject: "kyc_none" });
  expect((await audit.list(["internal"], { operation: "audit.proof", limit: 1 })).entries).toMatchObject([
    { outcome: "done", subject: null },
  ]);
});

test("is refused with a rule that says to narrow, above each of its limits", async () => {
  const refusal = { code: "INVALID_INPUT", details: { violations: [{ rule: "proof-size" }] } };
  const many = await platform();
  for (let n = 0; n < 3; n += 1) await append(many, { subject: "kyc_few" });
  expect((await proven([many]))[many]).toHaveLength(3);
  await append(many);
  await expect(prove([many])).rejects.toMatchObject(refusal);
  expect((await proven([many], { subject: "kyc_few" }))[many]).toHaveLength(3);

  const hashed = await platform();
  for (let n = 0; n < 11; n += 1) await append(hashed, { subject: `kyc_${n}` });
  await checkpointAll(hashed, 11);
  await expect(prove([hashed], { subject: "kyc_5" })).rejects.toMatchObject(refusal);

  const long = await platform();
  await world.admin(
    `insert into audit_entries (platform_id, actor, operation, subject, outcome)
     select $1, 'key_1', 'kyc.get', 'kyc_other', 'done' from generate_series(1, 100_001)`,
    [long],
  );
  await expect(prove([long], { subject: "kyc_1" })).rejects.toMatchObject(refusal);
});

test("says that months were dropped, unless the search begins after them", async () => {
  const platformId = await platform();
  await createMonth(pastMonth());
  await append(platformId);
  await moveTo(platformId, pastMonth());
  await append(platformId);
  await checkpointAll(platformId);
  await exportMonth(platformId, pastMonth());
  expect(await drop(pastMonth())).toBeNull();
  const since = `${pastMonth(0)}-01T00:00:00.000Z`;
  const read = async (query: object) => (await prove([platformId], query)).data;
  expect(await read({})).toMatchObject({ since, platforms: [{ since, entries: [{ checkpoint: 1 }] }] });
  expect(await read({ after: since })).toMatchObject({ since: null, platforms: [{ since: null }] });
});
