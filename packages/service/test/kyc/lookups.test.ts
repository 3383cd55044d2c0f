import { type AskedSubmission, Failure } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { type Ports, resolveLookup, storeLookup } from "../../src/index.ts";
import { codeOf } from "../support/calls.ts";
import { makeWorld } from "../support/world.ts";

const { kyc, ports, admin, database, submitted } = await makeWorld();
beforeEach(() => admin("delete from provider_lookups"));

const plan = { step: "ask", notFound: 0, delayMs: 3_600_000 } as const;
const lookups = () =>
  admin("select id, due_at <= now() as due, due_at - now() as wait from provider_lookups order by id");
const makeDue = () => admin("update provider_lookups set due_at = now()");
const dueIds = async () => (await kyc.leaseDue(100)).map(({ kycRecordId }) => kycRecordId);

/** The ports of a provider that finds these submissions for each id. It counts the calls. */
function finding(find: (id: string) => Promise<readonly AskedSubmission[]>) {
  const asked: string[] = [];
  const findAsked = (id: string) => {
    asked.push(id);
    return find(id);
  };
  return { asked, ports: { ...ports, provider: { ...ports.provider, findAsked } } as Ports };
}

/** A record with the cardholder of this id, which is not due. */
async function recordOf(holder: string, userOf?: Awaited<ReturnType<typeof submitted>>) {
  const created = userOf ?? (await submitted());
  await kyc.keepStep(created.platformId, created.record, "cardholder", { id: holder });
  await kyc.reschedule(created.platformId, created.record, plan);
  return created;
}

test("an event makes the records due that its id is about, once, however often it arrives", async () => {
  const [one, other] = [await recordOf("holder_1"), await recordOf("holder_2")];
  const { ports: mine, asked } = finding(async () => [
    { step: "cardholder", id: "holder_1" },
    { step: "cardholder", id: "holder_unknown" },
    { step: "cardholder", id: "holder_2" },
  ]);
  for (let times = 0; times < 3; times += 1) await storeLookup(mine, "rfi_1");
  expect(await resolveLookup(mine)).toBe(true);
  expect(await resolveLookup(mine)).toBe(false);
  expect(asked).toEqual(["rfi_1"]);
  expect((await dueIds()).toSorted()).toEqual([one.kycRecordId, other.kycRecordId].toSorted());
  expect(await lookups()).toEqual([]);
});

test("an event stays until the provider answers, and is asked about in half its age", async () => {
  const { ports: mine, asked } = finding(async () => {
    throw new Failure("PROVIDER_UNAVAILABLE");
  });
  await storeLookup(mine, "rfi_1");
  expect(await codeOf(resolveLookup(mine))).toBe("PROVIDER_UNAVAILABLE");
  expect(await resolveLookup(mine)).toBe(false);
  expect(await lookups()).toMatchObject([{ id: "rfi_1", due: false }]);
  await admin("update provider_lookups set due_at = now(), created_at = now() - interval '4 hours'");
  await codeOf(resolveLookup(mine));
  const [{ wait } = { wait: undefined }] = (await lookups()) as {
    wait?: { hours?: number; minutes?: number };
  }[];
  expect(wait?.hours ?? 0).toBe(1);
  expect(asked).toEqual(["rfi_1", "rfi_1"]);
});

test("an event about a record whose attempt is in progress is asked about again", async () => {
  const created = await submitted();
  await kyc.keepStep(created.platformId, created.record, "cardholder", { id: "holder_3" });
  const { ports: mine } = finding(async () => [{ step: "cardholder", id: "holder_3" }]);
  await storeLookup(mine, "rfi_1");
  expect(await codeOf(resolveLookup(mine))).toBe("SERVICE_UNAVAILABLE");
  await kyc.reschedule(created.platformId, created.record, plan);
  await makeDue();
  await resolveLookup(mine);
  expect(await dueIds()).toEqual([created.kycRecordId]);
});

test("an event that arrives while its id is asked about is not lost", async () => {
  const { ports: mine, asked } = finding(async () => {
    if (asked.length === 1) await storeLookup(ports, "rfi_1");
    return [];
  });
  await storeLookup(mine, "rfi_1");
  expect(await resolveLookup(mine)).toBe(true);
  expect(await lookups()).toMatchObject([{ id: "rfi_1", due: true }]);
  expect(await resolveLookup(mine)).toBe(true);
  expect(await lookups()).toEqual([]);
});

test("two workers share the events, and none asks for a provider whose events name submissions", async () => {
  const { ports: mine, asked } = finding(async () => []);
  for (const id of ["rfi_1", "rfi_2"]) await storeLookup(mine, id);
  await database.withoutPlatform(async (tx) => {
    await tx.execute(sql`begin`);
    await tx.execute(sql`select from provider_lookups where id = 'rfi_1' for update`);
    expect(await resolveLookup(mine)).toBe(true);
    expect(await resolveLookup(mine)).toBe(false);
    await tx.execute(sql`commit`);
  });
  expect(asked).toEqual(["rfi_2"]);
  expect(await resolveLookup(ports)).toBe(false);
  expect(await resolveLookup(mine)).toBe(true);
});

test("an event about a cardholder that two records share reaches the newer one, which is under way", async () => {
  const first = await recordOf("holder_4");
  const renewal = await submitted({}, first.platformId);
  await admin("update kyc_records set user_id = $1, renews = $2 where id = $3", [
    first.externalUserId,
    first.kycRecordId,
    renewal.kycRecordId,
  ]);
  await recordOf("holder_4", renewal);
  const { ports: mine } = finding(async (id) => [{ step: "cardholder", id }]);
  await storeLookup(mine, "holder_4");
  await resolveLookup(mine);
  expect(await dueIds()).toEqual([renewal.kycRecordId]);
});
