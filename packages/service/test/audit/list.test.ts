import { type AuditListQuery, auditPage, type PersonPlatforms } from "@cardbridge/domain";
import { beforeAll, describe, expect, test } from "vitest";
import { listAudit } from "../../src/audit/list.ts";
import { auditMonthsWorld, pastMonth } from "../support/audit-months.ts";
import { codeOf, personCall } from "../support/calls.ts";
import { aCaller, makeWorld } from "../support/world.ts";

const world = await makeWorld();
const { audit, platform, admin, checkpointAll, person, ports } = world;
beforeAll(() => person({ personId: "per_ada", name: "Ada Byron" }));

type Entry = Partial<Parameters<typeof audit.append>[1]>;
const append = (platformId: string, entry: Entry = {}) =>
  audit.append(platformId, { ...aCaller, subject: null, outcome: "done", ...entry });
/** Adds entries in one transaction. */
const addMany = (platformId: string, count: number, subject = "kyc_other") =>
  admin(
    `insert into audit_entries (platform_id, actor, operation, subject, outcome)
     select $1, 'key_1', 'kyc.get', $3, 'done' from generate_series(1, $2::int)`,
    [platformId, count, subject],
  );
const listAs = (platforms: PersonPlatforms, query: Partial<AuditListQuery> = {}) =>
  listAudit.execute(ports, personCall(["ops.audit"], { platforms }), query);
const page = audit.list;
const subjects = async (platforms: readonly string[] | "all", query: Partial<AuditListQuery> = {}) =>
  (await page(platforms, query)).entries.map(({ subject }) => subject);

async function readAll(platforms: readonly string[], query: Partial<AuditListQuery>) {
  const pages: (string | null)[][] = [];
  let cursor: string | null | undefined;
  do {
    const { entries, nextCursor } = await page(platforms, { ...query, ...(cursor && { cursor }) });
    pages.push(entries.map(({ subject }) => subject));
    cursor = nextCursor;
  } while (cursor);
  return pages;
}

test("a person reads the platforms that they may access, and `internal` only with all of them", async () => {
  const [one, two] = [await platform(), await platform()];
  for (const platformId of [one, two, "internal"]) await append(platformId);
  const read = async (platforms: PersonPlatforms, query: Partial<AuditListQuery> = {}) =>
    (await listAs(platforms, query)).data.entries.map(({ platformId }) => platformId);
  expect((await read("all")).slice(0, 3)).toEqual(["internal", two, one]);
  expect(await read("all", { platformIds: [one, "internal"] })).toEqual(["internal", one]);
  expect(await read("all", { platformId: "internal" })).toEqual(["internal"]);
  expect(await read([one, "internal"])).toEqual([one]);
  expect(await read([one, "internal"], { platformIds: ["internal"] })).toEqual([]);
  for (const query of [{ platformId: "internal" }, { platformIds: [two] }, { platformIds: ["plt_none"] }])
    expect(await codeOf(listAs([one], query))).toBe("PLATFORM_NOT_FOUND");
  expect(await codeOf(listAs("all", { platformId: "plt_none" }))).toBe("PLATFORM_NOT_FOUND");
});

describe("a search", () => {
  test("returns the entries of its platforms, newest first, with the names of persons", async () => {
    const [one, two] = [await platform(), await platform()];
    await append(one, { subject: "kyc_1" });
    await append(two, { subject: "kyc_2", actor: "per_ada/key_app", operation: "records.get" });
    await append(one, { subject: "kyc_3", actor: "per_unknown/key_app" });
    const result = await page([one, two]);
    expect(auditPage.parse(result)).toEqual(result);
    expect(result).toMatchObject({ nextCursor: null, narrow: false, since: null });
    expect(result.entries).toMatchObject([
      {
        platformId: one,
        subject: "kyc_3",
        person: "per_unknown",
        by: { personId: "per_unknown", name: null },
      },
      {
        platformId: two,
        subject: "kyc_2",
        actor: "key_app",
        person: "per_ada",
        by: { personId: "per_ada", name: "Ada Byron" },
        operation: "records.get",
      },
      { platformId: one, subject: "kyc_1", actor: "key_1", person: null, by: null },
    ]);
    expect(result.reachesTo).toBe(result.entries.at(-1)?.at);
    expect(await subjects([two])).toEqual(["kyc_2"]);
    expect((await subjects("all")).slice(0, 3)).toEqual(["kyc_3", "kyc_2", "kyc_1"]);
    expect((await listAs([])).data).toEqual({
      entries: [],
      nextCursor: null,
      narrow: false,
      reachesTo: null,
      since: null,
    });
  });

  test("combines its filters", async () => {
    const one = await platform();
    await append(one, { subject: "a", actor: "per_ada/key_app", operation: "records.submission" });
    await append(one, { subject: "b", actor: "key_app", outcome: "KYC_RECORD_NOT_FOUND" });
    await append(one, { subject: "c", actor: "per_ada/key_other" });
    await append(one, { subject: "d", actor: "per_adax/key_app" });
    await append(one, { subject: "e", actor: "perxada/key_app" });
    expect(await subjects([one], { personId: "per_ada" })).toEqual(["c", "a"]);
    expect(await subjects([one], { keyId: "key_app" })).toEqual(["d", "b", "a"]);
    expect(await subjects([one], { personId: "per_ada", keyId: "key_app" })).toEqual(["a"]);
    expect(await subjects([one], { operation: "records.submission" })).toEqual(["a"]);
    expect(await subjects([one], { subject: "c" })).toEqual(["c"]);
    expect(await subjects([one], { outcome: "KYC_RECORD_NOT_FOUND" })).toEqual(["b"]);
    expect(await subjects([one], { subject: "c", keyId: "key_app" })).toEqual([]);
  });

  test("finds the entries between two times, in the partitions of these months", async () => {
    const months = auditMonthsWorld(world);
    const platformId = await platform();
    await months.createMonth(pastMonth(2));
    await months.createMonth(pastMonth());
    await append(platformId, { subject: "early" });
    await months.moveTo(platformId, pastMonth(2));
    await append(platformId, { subject: "late" });
    await months.moveTo(platformId, pastMonth());
    await append(platformId, { subject: "now" });
    expect(await subjects([platformId])).toEqual(["now", "late", "early"]);
    const [after, before] = [`${pastMonth()}-02T00:00:00Z`, `${pastMonth()}-28T00:00:00Z`];
    expect(await subjects([platformId], { after })).toEqual(["now", "late"]);
    expect(await subjects([platformId], { before })).toEqual(["late", "early"]);
    expect(await subjects([platformId], { after, before })).toEqual(["late"]);
  });
});

describe("the pages of a search", () => {
  test("have each entry once, while entries are added", async () => {
    const [one, two] = [await platform(), await platform()];
    const all = Array.from({ length: 11 }, (_, index) => `kyc_${index}`);
    for (const [index, subject] of all.entries()) await append(index % 3 === 0 ? two : one, { subject });
    const first = await page([one, two], { limit: 4 });
    await append(one, { subject: "later" });
    const rest = await page([one, two], { limit: 200, cursor: first.nextCursor ?? "" });
    expect([...first.entries, ...rest.entries].map(({ subject }) => subject)).toEqual(all.toReversed());
    expect((await readAll([one, two], { limit: 4 })).flat()).toEqual(["later", ...all.toReversed()]);
  });

  test("read at most 50,000 entries, say how far back they reach, and continue", async () => {
    const platformId = await platform();
    await append(platformId, { subject: "kyc_first" });
    await addMany(platformId, 50_000);
    const narrow = await page([platformId], { subject: "kyc_first" });
    expect(narrow).toMatchObject({ entries: [], narrow: true, nextCursor: expect.any(String) });
    const { entries } = await page([platformId], { limit: 1 });
    expect(Date.parse(narrow.reachesTo ?? "")).toBeLessThanOrEqual(Date.parse(entries[0]?.at ?? ""));
    const next = await page([platformId], { subject: "kyc_first", cursor: narrow.nextCursor ?? "" });
    expect(next).toMatchObject({ entries: [{ subject: "kyc_first" }], narrow: false, nextCursor: null });
    expect(next.reachesTo).toBe(next.entries[0]?.at);
  });

  test("refuse a cursor of another filter, of other platforms, or of no page", async () => {
    const [one, two] = [await platform(), await platform()];
    await addMany(one, 3);
    const { nextCursor } = await page([one], { limit: 1 });
    const cursor = nextCursor ?? "";
    const refused = { code: "INVALID_INPUT", details: { violations: [{ path: ["cursor"] }] } };
    await expect(page([one], { cursor, operation: "kyc.get" })).rejects.toMatchObject(refused);
    await expect(page([one, two], { cursor })).rejects.toMatchObject(refused);
    const forged = Buffer.from(`${Buffer.from(cursor, "base64url").toString().slice(0, 17)}x.y`);
    for (const text of ["x", forged.toString("base64url")])
      await expect(page([one], { cursor: text })).rejects.toMatchObject(refused);
    expect((await page([one], { cursor, limit: 2 })).entries).toHaveLength(2);
  });

  test("say since when entries were dropped", async () => {
    const month = pastMonth(3);
    const months = auditMonthsWorld(world);
    const [platformId, other] = [await platform(), await platform()];
    await months.createMonth(month);
    await append(platformId);
    await months.moveTo(platformId, month);
    await checkpointAll(platformId);
    await months.exportMonth(platformId, month);
    expect(await months.drop(month)).toBeNull();
    const since = `${pastMonth(2)}-01T00:00:00.000Z`;
    expect(await page([platformId])).toMatchObject({ entries: [], since });
    expect(await page("all")).toMatchObject({ since });
    expect(await page([other])).toMatchObject({ since: null });
  });
});
