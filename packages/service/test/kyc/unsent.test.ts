import { expect, test } from "vitest";
import { aRequest, makeWorld, someone } from "../support/world.ts";

const { count, kyc, platform, rowsOf } = await makeWorld();

let users = 0;
/** A submission of a new user whose caller gets no slot for the provider. */
function unsent(maxUnsent: number) {
  users += 1;
  return { ...aRequest(someone(users + 1)), maxUnsent };
}

test("an unsent record is due at once, and the attempt that leases it sends it", async () => {
  const platformId = await platform();
  const { kind, record } = await kyc.createOrReplay(platformId, unsent(1));
  expect(kind).toBe("unsent");
  const { kycRecordId } = record;
  expect(await rowsOf("kyc_records", platformId)).toMatchObject([
    { id: kycRecordId, lease_until: null, step: "send" },
  ]);
  expect(await kyc.leaseDue(10)).toEqual([{ platformId, kycRecordId, attempt: 2 }]);
  expect(await kyc.loadAttempt(platformId, { kycRecordId, attempt: 2 })).toMatchObject({
    step: "send",
    notFound: 0,
  });
  expect(await kyc.leaseDue(10)).toEqual([]);
});

test("a platform with too many unsent records cannot create another record, but replays succeed", async () => {
  const platformId = await platform();
  const first = unsent(2);
  await kyc.createOrReplay(platformId, first);
  await kyc.createOrReplay(platformId, unsent(2));
  await expect(kyc.createOrReplay(platformId, unsent(2))).rejects.toMatchObject({
    code: "RATE_LIMITED",
    details: { retryAfterSeconds: 5 },
  });
  expect([await count("kyc_records", platformId), await count("users", platformId)]).toEqual([2, 2]);
  expect(await kyc.createOrReplay(platformId, first)).toMatchObject({ kind: "replay" });
  expect(await kyc.createOrReplay(platformId, aRequest())).toMatchObject({ kind: "new" });
  expect(await kyc.createOrReplay(await platform(), unsent(2))).toMatchObject({ kind: "unsent" });
  while ((await kyc.leaseDue(10)).length > 0);
  expect(await kyc.createOrReplay(platformId, unsent(2))).toMatchObject({ kind: "unsent" });
  await kyc.leaseDue(10);
});

test("records are leased round robin: one platform's backlog does not delay another platform", async () => {
  const [busy, other] = [await platform(), await platform()];
  for (let nth = 0; nth < 10; nth += 1) await kyc.createOrReplay(busy, unsent(100));
  await kyc.createOrReplay(other, unsent(100));
  const leased = await kyc.leaseDue(4);
  expect(leased.filter(({ platformId }) => platformId === other)).toHaveLength(1);
  expect(leased.filter(({ platformId }) => platformId === busy)).toHaveLength(3);
  expect(await kyc.leaseDue(20)).toHaveLength(7);
});
