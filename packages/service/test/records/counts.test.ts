import type { PersonPlatforms } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { countRecords } from "../../src/records/counts.ts";
import { operatorCall, personCall } from "../support/calls.ts";
import { makeSearchable } from "../support/searchable.ts";

const { insert, assign, admin, platformWithUser, ports } = await makeSearchable();
/** The counts for a person who may access these platforms. */
const counts = async (platforms: PersonPlatforms, personId = "per_none") =>
  (await countRecords.execute(ports, personCall(["ops.records.read"], { platforms, personId }), {})).data;
const approved = { resolution: "answered", status: "APPROVED" } as const;

test("open records are counted exactly, with the oldest one and those of the caller", async () => {
  const [mine, theirs] = [await platformWithUser(), await platformWithUser()];
  const oldest = "2026-01-01T00:00:00.000Z";
  await insert(
    { id: "kyc_1", platformId: mine, createdAt: oldest, needsAttention: true },
    { id: "kyc_2", platformId: mine },
    { id: "kyc_3", platformId: mine, ...approved },
    { id: "kyc_4", platformId: mine, resolution: "answered", status: "REJECTED" },
    { id: "kyc_5", platformId: mine, resolution: "refused" },
    { id: "kyc_6", platformId: theirs, createdAt: "2025-01-01T00:00:00.000Z", needsAttention: true },
    { id: "kyc_7", platformId: theirs, ...approved },
  );
  for (const id of ["kyc_1", "kyc_3"]) await assign(mine, id, "per_ada");
  await assign(mine, "kyc_2", "per_eve");
  const one = { count: 1, more: false };
  expect(await counts([mine], "per_ada")).toEqual({
    open: 2,
    needsAttention: 1,
    assignedToMe: 1,
    oldestOpenAt: oldest,
    decided: { APPROVED: one, REJECTED: one, refused: one },
    documentExpiry: { expiring: { count: 0, more: false }, expired: { count: 0, more: false } },
  });
  const all = {
    open: 3,
    needsAttention: 2,
    assignedToMe: 0,
    decided: { APPROVED: { count: 2, more: false } },
  };
  expect(await counts([mine, theirs])).toMatchObject(all);
  expect(await counts("all")).toMatchObject(all);
  // A caller without a person has no records.
  expect((await countRecords.execute(ports, operatorCall, {})).data).toMatchObject(all);
  expect(await counts([], "per_ada")).toMatchObject({ open: 0, assignedToMe: 0, oldestOpenAt: null });
});

test("decided records are counted up to 10,000 over all platforms together", async () => {
  const platforms = [await platformWithUser(), await platformWithUser()];
  const add = (count: number, name: string) =>
    admin(
      `insert into kyc_records (id, platform_id, user_id, resolution, status, attempt)
       select 'kyc_${name}_' || id || n, id, 'usr_' || id, 'answered', 'REJECTED', 1
       from unnest($1::text[]) as id, generate_series(1, $2::integer) as n`,
      [platforms, count],
    );
  await add(5_000, "first");
  const rejected = async () => (await counts(platforms)).decided.REJECTED;
  expect(await rejected()).toEqual({ count: 10_000, more: false });
  await add(1, "last");
  expect(await rejected()).toEqual({ count: 10_000, more: true });
});

test("documents that expire are counted in approved records, up to 10,000 over all platforms together", async () => {
  const platforms = [await platformWithUser(), await platformWithUser()];
  const [one = ""] = platforms;
  await insert(
    { id: "kyc_expiring", platformId: one, ...approved, documentExpiry: "expiring" },
    { id: "kyc_valid", platformId: one, ...approved, documentExpiry: "valid" },
    { id: "kyc_rejected", platformId: one, ...approved, status: "REJECTED", documentExpiry: "expired" },
  );
  await admin(
    `insert into kyc_records (id, platform_id, user_id, resolution, status, document_expiry, attempt)
     select 'kyc_expired_' || id || n, id, 'usr_' || id, 'answered', 'APPROVED', 'expired', 1
     from unnest($1::text[]) as id, generate_series(1, 5001) as n`,
    [platforms],
  );
  const expiring = { count: 1, more: false };
  const of = async (reach: PersonPlatforms) => (await counts(reach)).documentExpiry;
  expect(await of([one])).toEqual({ expiring, expired: { count: 5_001, more: false } });
  expect(await of(platforms)).toEqual({ expiring, expired: { count: 10_000, more: true } });
  expect(await of("all")).toEqual({ expiring, expired: { count: 10_000, more: true } });
});
