import { AttemptSuperseded } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { providerIds } from "../../src/index.ts";
import { reader } from "../support/rows.ts";
import { answered, aRequest, makeWorld } from "../support/world.ts";

const { kyc, platform, urls, database } = await makeWorld();
const { all } = reader(urls.adminUrl);
const ids = providerIds(database);

async function created() {
  const platformId = await platform();
  const { record } = await kyc.createOrReplay(platformId, aRequest());
  return { platformId, record };
}

const asAdmin = (statement: string, values: string[]) =>
  withConnection(urls.adminUrl, (client) => client.query(statement, values));

/** Leases a record again, as after the end of its lease. */
async function leasedAgain(kycRecordId: string) {
  await asAdmin("update kyc_records set due_at = clock_timestamp() where id = $1", [kycRecordId]);
  const leased = (await kyc.leaseDue(10)).find((due) => due.kycRecordId === kycRecordId);
  if (!leased) throw new Error("The record was not due.");
  return leased;
}

/** Counts the service's statements in this database that wait for a lock. */
async function waiting() {
  const text = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const { rows } = await asAdmin(text, []);
  return rows[0]?.count;
}

describe("the steps of a submission", () => {
  test("are stored, replaced, and available to the next attempt", async () => {
    const { platformId, record } = await created();
    expect(await kyc.findStep(platformId, record, "upload")).toBeUndefined();
    await kyc.keepStep(platformId, record, "upload", { id: "file_1" });
    await kyc.keepStep(platformId, record, "upload", { id: "file_2", etag: "x" });
    expect(await kyc.findStep(platformId, record, "upload")).toEqual({ id: "file_2", etag: "x" });
    expect(await kyc.findStep(platformId, record, "create")).toBeUndefined();

    const next = await leasedAgain(record.kycRecordId);
    expect(await kyc.findStep(platformId, next, "upload")).toEqual({ id: "file_2", etag: "x" });
    const rows = (await all("provider_steps")).filter((row) => row.record_id === record.kycRecordId);
    expect(rows).toMatchObject([{ name: "upload", attempt: 1 }]);
  });

  test("cannot be read or written by a superseded attempt", async () => {
    const { platformId, record } = await created();
    const next = await leasedAgain(record.kycRecordId);
    await kyc.keepStep(platformId, next, "create", { id: "holder_2" });
    const late = kyc.keepStep(platformId, record, "create", { id: "holder_1" });
    await expect(late).rejects.toBeInstanceOf(AttemptSuperseded);
    await expect(kyc.findStep(platformId, record, "create")).rejects.toBeInstanceOf(AttemptSuperseded);
    expect(await kyc.findStep(platformId, next, "create")).toEqual({ id: "holder_2" });
  });

  test("wait for a concurrent lease, and are then not stored", async () => {
    const { platformId, record } = await created();
    await withConnection(urls.adminUrl, async (other) => {
      await other.query("begin");
      await other.query("update kyc_records set attempt = attempt + 1 where id = $1", [record.kycRecordId]);
      const kept = kyc.keepStep(platformId, record, "create", { id: "holder_1" });
      const outcome = kept.then(
        () => "kept",
        (error: unknown) => error,
      );
      await expect.poll(() => waiting()).toBe(1);
      await other.query("commit");
      expect(await outcome).toBeInstanceOf(AttemptSuperseded);
    });
    const next = { ...record, attempt: 2 };
    expect(await kyc.findStep(platformId, next, "create")).toBeUndefined();
  });

  test("of another platform are not found", async () => {
    const { record } = await created();
    const theirs = await platform();
    await expect(kyc.findStep(theirs, record, "create")).rejects.toBeInstanceOf(AttemptSuperseded);
    const kept = kyc.keepStep(theirs, record, "create", { id: "x" });
    await expect(kept).rejects.toBeInstanceOf(AttemptSuperseded);
  });

  test.each([{ id: "Ada Example" }, { "a name": "x" }, { id: "x".repeat(257) }])(
    "contain only ids: %j is rejected",
    async (result) => {
      const { platformId, record } = await created();
      await expect(kyc.keepStep(platformId, record, "create", result)).rejects.toThrow();
      expect(await kyc.findStep(platformId, record, "create")).toBeUndefined();
    },
  );
});

describe("the ids of the provider", () => {
  test("identify a user, and a user has the id of the latest submission", async () => {
    const { platformId, record } = await created();
    const user = record.externalUserId;
    const [older, newer] = [`holder_${record.kycRecordId}`, `holder_new_${record.kycRecordId}`];
    expect([await ids.idOf("create", user), await ids.userOf("create", older)]).toEqual([null, null]);
    await kyc.keepStep(platformId, record, "create", { id: older });
    await kyc.keepStep(platformId, record, "upload", { etag: "none" });
    expect(await ids.idOf("create", user)).toBe(older);
    expect(await ids.idOf("upload", user)).toBeNull();

    await kyc.storeVerdict(platformId, record, answered("rejected"));
    const again = await kyc.createOrReplay(platformId, aRequest({ documentNumber: "E7654321" }));
    await kyc.keepStep(platformId, again.record, "create", { id: newer });
    expect(await ids.idOf("create", user)).toBe(newer);
    expect([await ids.userOf("create", older), await ids.userOf("create", newer)]).toEqual([user, user]);
    expect(await ids.userOf("upload", newer)).toBeNull();
  });
});
