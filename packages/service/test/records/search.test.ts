import { type PersonPlatforms, type RecordSearchQuery, recordSearchPage } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { searchRecords } from "../../src/records/search.ts";
import { personCall } from "../support/calls.ts";
import { makeSearchable, type SearchableRecord } from "../support/searchable.ts";

const { insert, assign, admin, person, platformWithUser, ports } = await makeSearchable();
await person({ personId: "per_ada", name: "Ada" });

/** A page for a person who may access these platforms. */
const page = async (platforms: PersonPlatforms, query: Partial<RecordSearchQuery> = {}) =>
  (await searchRecords.execute(ports, personCall(["ops.records.read"], { platforms }), query)).data;
const found = async (platforms: PersonPlatforms, query: Partial<RecordSearchQuery> = {}) =>
  (await page(platforms, query)).records.map(({ kycRecordId }) => kycRecordId);

/** Reads every page of a search. `between` runs after each page. */
async function readAll(
  platforms: PersonPlatforms,
  query: Partial<RecordSearchQuery>,
  between: (seen: number) => Promise<unknown> = async () => {},
) {
  const pages = [];
  let cursor: string | null | undefined;
  do {
    const { records, nextCursor } = await page(platforms, { ...query, ...(cursor && { cursor }) });
    pages.push(records.map(({ kycRecordId }) => kycRecordId));
    cursor = nextCursor;
    await between(pages.flat().length);
  } while (cursor);
  return pages;
}

/** Ids are unique in the database; the letter says the order. */
let sets = 0;
async function aSet(count: number, ...records: Partial<SearchableRecord>[]) {
  sets += 1;
  const platforms: string[] = [];
  for (let index = 0; index < count; index += 1) platforms.push(await platformWithUser());
  const ids = records.map((_, index) => `kyc_${sets}_${String(index).padStart(3, "0")}`);
  await insert(
    ...records.map((record, index) => ({
      id: ids[index] ?? "",
      platformId: platforms[index % count] ?? "",
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, sets, index)).toISOString(),
      ...record,
    })),
  );
  return { platforms, ids };
}

/** Adds a request of the provider to a record. */
const ask = (recordId: string, status: "open" | "answered" | "closed", documentType = "BANK_STATEMENT") =>
  admin(
    `insert into document_requests (platform_id, record_id, id, provider_id, document_type, accepts, requested_at, status,
       revision, source)
     select platform_id, id, $2, $2, $3, '{}', clock_timestamp(), $4, 1, 'event' from kyc_records where id = $1`,
    [recordId, `dreq_${documentType}_${status}`, documentType, status],
  );

describe("a search", () => {
  test("returns the records of its platforms in the order of their creation", async () => {
    const { platforms, ids } = await aSet(3, {}, {}, {}, {}, {}, {});
    const [one = "", two = ""] = platforms;
    expect(await found(platforms)).toEqual(ids.toReversed());
    expect(await found(platforms, { order: "oldest" })).toEqual(ids);
    expect(await found([one])).toEqual([ids[3], ids[0]]);
    expect(await found([one, two], { order: "oldest" })).toEqual([ids[0], ids[1], ids[3], ids[4]]);
    expect((await found("all")).slice(0, 6)).toEqual(ids.toReversed());
    expect(await page([])).toMatchObject({ records: [], nextCursor: null, narrow: false });
  });

  test("returns a row with the last attempt and the assignee, and nothing else of the record", async () => {
    const explanation = { reasons: [{ code: "UNDER_AGE", field: null }], final: true };
    const { platforms, ids } = await aSet(
      1,
      { needsAttention: true },
      { resolution: "refused", explanation },
      {},
    );
    const [platformId = ""] = platforms;
    const [first = "", second = ""] = ids;
    await admin(
      `insert into kyc_attempts (platform_id, record_id, number, last_number, step, outcome, reason, started_at,
         last_started_at, milliseconds, actor, count)
       values ($1, $2, 1, 1, 'send', 'unknown', 'timeout', now(), '2026-01-01T00:00:00Z', 9, 'worker', 1),
         ($1, $2, 2, 4, 'ask', 'unknown', 'deadline', now(), '2026-01-02T00:00:00Z', 9, 'worker', 3)`,
      [platformId, first],
    );
    await assign(platformId, first, "per_ada", 4);
    await assign(platformId, second, "per_unknown", 1);
    const result = await page(platforms, { order: "oldest" });
    expect(recordSearchPage.parse(result)).toEqual(result);
    expect(result.records).toMatchObject([
      {
        kycRecordId: first,
        platformId,
        platformName: "A platform",
        externalUserId: `usr_${platformId}`,
        status: "PENDING",
        reasons: [],
        dueAt: null,
        needsAttentionSince: expect.any(String),
        lastAttempt: {
          outcome: "unknown",
          reason: "deadline",
          words: "the provider did not answer in time",
          at: "2026-01-02T00:00:00.000Z",
          count: 3,
        },
        assignee: { personId: "per_ada", name: "Ada" },
        assignmentVersion: 4,
      },
      { status: null, reasons: ["UNDER_AGE"], assignee: { personId: "per_unknown", name: null } },
      { status: "PENDING", lastAttempt: null, assignee: null, assignmentVersion: 0 },
    ]);
  });

  test("finds approved records whose document expires or has expired, with any other filter", async () => {
    const answered = { resolution: "answered" } as const;
    const { platforms, ids } = await aSet(
      2,
      { ...answered, status: "APPROVED", documentExpiry: "expired" },
      { ...answered, status: "APPROVED", documentExpiry: "expiring" },
      { ...answered, status: "REJECTED", documentExpiry: "expired" },
      { ...answered, status: "APPROVED", documentExpiry: "expired" },
      { ...answered, status: "APPROVED" },
    );
    await assign(platforms[1] ?? "", ids[3] ?? "", "per_eve");
    const indexes = async (query: Partial<RecordSearchQuery>) =>
      (await found(platforms, { order: "oldest", ...query })).map((id) => ids.indexOf(id));
    expect(await indexes({ documentExpiry: "expired" })).toEqual([0, 3]);
    expect(await indexes({ documentExpiry: "expired", order: "newest" })).toEqual([3, 0]);
    expect(await indexes({ documentExpiry: "expiring" })).toEqual([1]);
    expect(await indexes({ documentExpiry: "expired", assignee: "per_eve" })).toEqual([3]);
    expect(await indexes({ documentExpiry: "expired", status: "REJECTED" })).toEqual([]);
    expect(await indexes({ documentExpiry: "expired", open: true })).toEqual([]);
    expect(await found(platforms.slice(1), { documentExpiry: "expired" })).toEqual([ids[3]]);
    const { records } = await page(platforms, { order: "oldest" });
    expect(records.map(({ documentExpiry }) => documentExpiry)).toEqual([
      ...["expired", "expiring", null, "expired", "unknown"],
    ]);
  });

  test("combines its filters", async () => {
    const { platforms, ids } = await aSet(
      2,
      { needsAttention: true },
      {},
      { resolution: "answered", status: "APPROVED" },
      {
        resolution: "answered",
        status: "REJECTED",
        explanation: { reasons: [{ code: "OTHER", field: null }] },
      },
      { resolution: "answered", status: "PENDING", due: true },
      { resolution: "refused", explanation: { reasons: [{ code: "UNDER_AGE", field: null }] } },
    );
    await assign(platforms[0] ?? "", ids[0] ?? "", "per_eve");
    await assign(platforms[1] ?? "", ids[3] ?? "", "per_eve");
    await assign(platforms[1] ?? "", ids[1] ?? "", null);
    const indexes = async (query: Partial<RecordSearchQuery>) =>
      (await found(platforms, { order: "oldest", ...query })).map((id) => ids.indexOf(id));
    expect(await indexes({ open: true })).toEqual([0, 1, 4]);
    expect(await indexes({ open: false })).toEqual([2, 3, 5]);
    expect(await indexes({ needsAttention: true })).toEqual([0]);
    expect(await indexes({ needsAttention: false, open: true })).toEqual([1, 4]);
    expect(await indexes({ needsAttention: true, open: false })).toEqual([]);
    await ask(ids[1] ?? "", "answered");
    await ask(ids[4] ?? "", "answered");
    for (const documentType of ["BANK_STATEMENT", "SELFIE"]) await ask(ids[4] ?? "", "open", documentType);
    expect(await indexes({ requested: true })).toEqual([4]);
    expect(await indexes({ requested: false, open: true })).toEqual([0, 1]);
    expect(await indexes({ requested: true, open: false })).toEqual([]);
    expect(await indexes({ resolution: "refused" })).toEqual([5]);
    expect(await indexes({ status: "PENDING" })).toEqual([0, 1, 4]);
    expect(await indexes({ status: "REJECTED", reason: "OTHER" })).toEqual([3]);
    expect(await indexes({ reason: "UNDER_AGE" })).toEqual([5]);
    expect(await indexes({ assignee: "per_eve" })).toEqual([0, 3]);
    expect(await indexes({ assignee: "per_eve", open: true })).toEqual([0]);
    expect(await indexes({ assignee: "none" })).toEqual([1, 2, 4, 5]);
    expect((await page(platforms, { open: true, order: "oldest" })).records).toMatchObject([
      { requested: [] },
      { requested: [] },
      { requested: ["BANK_STATEMENT", "SELFIE"] },
    ]);
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, sets, index)).toISOString();
    expect(await indexes({ createdAfter: at(1), createdBefore: at(3) })).toEqual([1, 2, 3]);
    expect(await found(platforms.slice(1), { assignee: "per_eve" })).toEqual([ids[3]]);
    expect(await found(platforms.slice(1), { needsAttention: true })).toEqual([]);
  });
});

describe("the pages of a search", () => {
  test.each([["oldest"], ["newest"]] as const)("contain each record once, %s first", async (order) => {
    const { platforms, ids } = await aSet(3, ...Array.from({ length: 25 }, () => ({})));
    const expected = order === "oldest" ? ids : ids.toReversed();
    const pages = await readAll(platforms, { order, limit: 10 });
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(pages.flat()).toEqual(expected);
    expect((await readAll(platforms, { order, limit: 4, open: true })).flat()).toEqual(expected);
  });

  test("order records of the same microsecond by their ids", async () => {
    const createdAt = "2026-02-01T00:00:00.123456Z";
    const { platforms, ids } = await aSet(2, ...Array.from({ length: 7 }, () => ({ createdAt })));
    expect((await readAll(platforms, { order: "oldest", limit: 2 })).flat()).toEqual(ids);
    expect((await readAll(platforms, { limit: 3 })).flat()).toEqual(ids.toReversed());
  });

  test("merge a busy platform with others, also when few records match", async () => {
    const approved = { resolution: "answered", status: "APPROVED" } as const;
    const { platforms, ids } = await aSet(
      2,
      ...Array.from({ length: 60 }, (_, index) => (index % 20 < 2 ? {} : approved)),
    );
    const quiet = await platformWithUser();
    await insert({ id: "kyc_quiet", platformId: quiet, createdAt: "2026-01-01T00:00:00Z" });
    const expected = ["kyc_quiet", ...ids.filter((_, index) => index % 20 < 2)];
    const query = { resolution: "unresolved", limit: 1 } as const;
    expect((await readAll([...platforms, quiet], { ...query, order: "oldest" })).flat()).toEqual(expected);
    expect((await readAll([...platforms, quiet], query)).flat()).toEqual(expected.toReversed());
  });

  test("repeat no record that changes between them, and leave out later records", async () => {
    const { platforms, ids } = await aSet(1, ...Array.from({ length: 6 }, () => ({})));
    const [platformId = ""] = platforms;
    const pages = await readAll(platforms, { order: "oldest", open: true, limit: 2 }, async (seen) => {
      await insert({ id: `kyc_later_${seen}`, platformId });
      await admin("update kyc_records set due_at = now() + interval '1 hour' where id = any($1)", [
        ids.slice(0, seen),
      ]);
    });
    expect(pages.flat()).toEqual(ids);
    expect((await found(platforms))[0]).toMatch("kyc_later");
  });

  test("stop after 50,000 rows and continue from there", async () => {
    const { platforms, ids } = await aSet(1, {});
    const [platformId] = platforms;
    await admin(
      `insert into kyc_records (id, platform_id, user_id, resolution, status, attempt, created_at)
       select 'kyc_many_' || n, $1, 'usr_' || $1, 'answered', 'APPROVED', 1, '2026-01-02'::timestamptz + n * interval '1 second'
       from generate_series(1, 50100) as n`,
      [platformId],
    );
    const query = { resolution: "unresolved" } as const;
    const first = await page(platforms, query);
    expect(first).toMatchObject({ records: [], narrow: true, nextCursor: expect.any(String) });
    const cursor = first.nextCursor ?? "";
    expect(await page(platforms, { ...query, cursor })).toMatchObject({
      records: [{ kycRecordId: ids[0] }],
      narrow: false,
      nextCursor: null,
      asOf: first.asOf,
    });
    expect(await page(platforms, { status: "APPROVED" })).toMatchObject({ narrow: false });
  });
});

describe("a cursor", () => {
  test("of another filter, order or set of platforms is refused", async () => {
    const { platforms } = await aSet(2, {}, {}, {});
    const { nextCursor } = await page(platforms, { limit: 1, open: true });
    const cursor = nextCursor ?? "";
    expect(await found(platforms.toReversed(), { open: true, limit: 5, cursor })).toHaveLength(2);
    const others: [PersonPlatforms, Partial<RecordSearchQuery>][] = [
      [platforms, {}],
      [platforms, { open: true, order: "oldest" }],
      [platforms, { open: true, status: "PENDING" }],
      [platforms.slice(1), { open: true }],
      ["all", { open: true }],
    ];
    for (const [reach, query] of others) {
      await expect(page(reach, { ...query, cursor })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        details: { violations: [{ path: ["cursor"], rule: "search-cursor" }] },
      });
    }
    await expect(page(platforms, { cursor: "x" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  test("does not widen what its reader may see", async () => {
    const [mine, theirs] = [await aSet(1, {}, {}), await aSet(1, {}, {})];
    const { nextCursor } = await page("all", { limit: 1 });
    await expect(page(mine.platforms, { cursor: nextCursor ?? "" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    expect(await found(mine.platforms)).not.toContain(theirs.ids[0]);
  });
});
