import { AttemptSuperseded } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { providerIds } from "../../src/database.ts";
import { answered, aRequest, makeWorld } from "../support/world.ts";

const { admin, all, database, kyc, platform, set, submitted, urls } = await makeWorld();
const ids = providerIds(database);

/** Leases a record again, as after the end of its lease. */
async function leasedAgain(kycRecordId: string) {
  await set(kycRecordId, "due_at = clock_timestamp()");
  const leased = (await kyc.leaseDue(10)).find((due) => due.kycRecordId === kycRecordId);
  if (!leased) throw new Error("The record was not due.");
  return leased;
}

/** The service's statements in this database that wait for a lock. */
const waiting = () =>
  admin("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");

describe("the steps of a submission", () => {
  test("are stored, replaced, and available to the next attempt", async () => {
    const { platformId, record, kycRecordId } = await submitted();
    expect(await kyc.findStep(platformId, record, "upload")).toBeUndefined();
    await kyc.keepStep(platformId, record, "upload", { id: "file_1" });
    await kyc.keepStep(platformId, record, "upload", { id: "file_2", etag: "x" });
    expect(await kyc.findStep(platformId, record, "upload")).toEqual({ id: "file_2", etag: "x" });
    expect(await kyc.findStep(platformId, record, "create")).toBeUndefined();

    const next = await leasedAgain(kycRecordId);
    expect(await kyc.findStep(platformId, next, "upload")).toEqual({ id: "file_2", etag: "x" });
    const rows = (await all("provider_steps")).filter((row) => row.record_id === kycRecordId);
    expect(rows).toMatchObject([{ name: "upload", attempt: 1 }]);
  });

  test("cannot be read or written by a superseded attempt, or from another platform", async () => {
    const { platformId, record, kycRecordId } = await submitted();
    const next = await leasedAgain(kycRecordId);
    await kyc.keepStep(platformId, next, "create", { id: "holder_2" });
    for (const [of, attempt] of [
      [platformId, record],
      [await platform(), next],
    ] as const) {
      const kept = kyc.keepStep(of, attempt, "create", { id: "holder_1" });
      await expect(kept).rejects.toBeInstanceOf(AttemptSuperseded);
      await expect(kyc.findStep(of, attempt, "create")).rejects.toBeInstanceOf(AttemptSuperseded);
    }
    expect(await kyc.findStep(platformId, next, "create")).toEqual({ id: "holder_2" });
  });

  test("wait for a concurrent lease, and are then not stored", async () => {
    const { platformId, record, kycRecordId } = await submitted();
    await withConnection(urls.adminUrl, async (other) => {
      await other.query("begin");
      await other.query("update kyc_records set attempt = attempt + 1 where id = $1", [kycRecordId]);
      const kept = kyc.keepStep(platformId, record, "create", { id: "holder_1" });
      const outcome = kept.catch((error: unknown) => error);
      await expect.poll(waiting).toHaveLength(1);
      await other.query("commit");
      expect(await outcome).toBeInstanceOf(AttemptSuperseded);
    });
    expect(await kyc.findStep(platformId, { ...record, attempt: 2 }, "create")).toBeUndefined();
  });

  test.each([{ id: "Ada Example" }, { "a name": "x" }, { id: "x".repeat(257) }])(
    "contain only ids: %j is rejected",
    async (result) => {
      const { platformId, record } = await submitted();
      await expect(kyc.keepStep(platformId, record, "create", result)).rejects.toThrow();
      expect(await kyc.findStep(platformId, record, "create")).toBeUndefined();
    },
  );
});

test("the provider's ids identify a user, and a user has the id of the latest submission", async () => {
  const { platformId, record, kycRecordId, externalUserId: user } = await submitted();
  const [older, newer] = [`holder_${kycRecordId}`, `holder_new_${kycRecordId}`];
  expect([await ids.idOf("create", user), await ids.userOf("create", older)]).toEqual([null, null]);
  await kyc.keepStep(platformId, record, "create", { id: older });
  await kyc.keepStep(platformId, record, "upload", { etag: "none" });
  expect([await ids.idOf("create", user), await ids.idOf("upload", user)]).toEqual([older, null]);

  await kyc.storeVerdict(platformId, record, answered("rejected"));
  const again = await kyc.createOrReplay(platformId, aRequest({ documentNumber: "E7654321" }));
  await kyc.keepStep(platformId, again.record, "create", { id: newer });
  expect(await ids.idOf("create", user)).toBe(newer);
  expect([await ids.userOf("create", older), await ids.userOf("create", newer)]).toEqual([user, user]);
  expect(await ids.userOf("upload", newer)).toBeNull();
});
