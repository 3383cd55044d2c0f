import { describe, expect, onTestFinished, test } from "vitest";
import { putUser } from "../../src/database.ts";
import { answered, aRequest, keys, makeWorld, someone } from "../support/world.ts";

const ada = { memberId: "member-1" };
const keyed = (idempotencyKey: string, changes = {}) => ({ ...aRequest(changes), idempotencyKey });

/** Creates a user with a rejected and an approved record, each with an idempotency key. */
async function resolvedWorld() {
  const world = await makeWorld({ maxConnections: 10, until: onTestFinished });
  const platformId = await world.platform();
  const first = await world.kyc.createOrReplay(platformId, keyed("k1"));
  await world.kyc.storeVerdict(platformId, first.record, answered("rejected"));
  const second = await world.kyc.createOrReplay(platformId, keyed("k2", { occupation: "Poet" }));
  await world.kyc.keepStep(platformId, second.record, "create", { id: "holder_1" });
  await world.kyc.storeVerdict(platformId, second.record, answered("approved", "acct_1"));
  const records = [first.record.kycRecordId, second.record.kycRecordId];
  return { ...world, platformId, userId: first.record.externalUserId, ids: records };
}
type Resolved = Awaited<ReturnType<typeof resolvedWorld>>;

const erase = async ({ erasures: { request, eraseDue }, platformId, userId }: Resolved) => {
  expect(await request(platformId, userId)).toBe(true);
  expect(await eraseDue(10)).toBe(1);
};

describe("erasing a user", () => {
  test("destroys the data key, everything encrypted under it, the blind indexes and the steps' results", async () => {
    const world = await resolvedWorld();
    const { all, platformId, userId, rowsOf } = world;
    expect(await all("provider_steps")).toHaveLength(1);
    await erase(world);
    expect(await all("provider_steps")).toEqual([]);
    expect(await rowsOf("users", platformId)).toEqual([
      {
        id: userId,
        platform_id: platformId,
        member_id_index: null,
        email_index: null,
        imported: false,
        encrypted: null,
        data_key: null,
        key_version: null,
        created_at: expect.any(Date),
        erase_requested_at: expect.any(Date),
        erased_at: expect.any(Date),
      },
    ]);
    for (const row of await rowsOf("kyc_records", platformId)) {
      expect(row).toMatchObject({
        encrypted: null,
        fingerprint: null,
        document_expiry: null,
        document_check_at: null,
      });
    }
    expect(await rowsOf("idempotency_keys", platformId)).toEqual([]);
  });

  test("keeps the history of ids and statuses, but the user cannot be found", async () => {
    const world = await resolvedWorld();
    const { kyc, users, platformId, ids, userId } = world;
    const histories = () => Promise.all(ids.map((id) => kyc.history(platformId, id)));
    const before = await histories();
    await erase(world);
    expect(before.map((entry) => entry?.memberId)).toEqual(ids.map(() => ada.memberId));
    const { length } = before.filter((entry) => entry?.record.documentExpiry === "valid");
    expect(length).toBe(2);
    expect(await histories()).toEqual(
      before.map((entry) => ({
        ...entry,
        record: { ...entry?.record, documentExpiry: null },
        memberId: null,
      })),
    );
    expect(before[1]).toMatchObject({
      record: { externalUserId: userId, status: "APPROVED", cardAccountId: "acct_1" },
      history: [{ source: "submission" }, { source: "provider", status: "APPROVED" }],
    });
    expect(await users.find(platformId, ada)).toBeNull();
    expect(await users.find(platformId, { email: "ada@example.com" })).toBeNull();
    expect(await kyc.current(platformId, ada)).toBeNull();
  });

  test("frees the names and keys: the same body under the same key creates a new user", async () => {
    const world = await resolvedWorld();
    const { kyc, platformId, userId } = world;
    await erase(world);
    const again = await kyc.createOrReplay(platformId, keyed("k2", { occupation: "Poet" }));
    expect(again.kind).toBe("new");
    expect(again.record.externalUserId).not.toBe(userId);
    expect(await kyc.current(platformId, ada)).toMatchObject(again.record);
  });

  test("changes no other user, on this or another platform", async () => {
    const world = await resolvedWorld();
    const { kyc, platform, platformId, all } = world;
    const others = [
      await kyc.createOrReplay(platformId, keyed("k3", someone("bob"))),
      await kyc.createOrReplay(await platform(), keyed("k1")),
    ];
    const ofOthers = async () => {
      const ids = others.flatMap(({ record }) => [record.externalUserId, record.kycRecordId]);
      const tables = await Promise.all(["users", "kyc_records", "idempotency_keys"].map(all));
      return tables.flat().filter(({ id, record_id }) => ids.includes(String(id ?? record_id)));
    };
    const before = await ofOthers();
    expect(before).toHaveLength(6);
    await erase(world);
    expect(await ofOthers()).toEqual(before);
  });

  test("waits for a record that is unresolved or leased, also if it needs attention", async () => {
    const world = await resolvedWorld();
    const { kyc, platformId, userId, set, submitted } = world;
    const { request, eraseDue } = world.erasures;
    const bob = await submitted(someone("bob"), platformId);
    const at = (assignment: string) => set(bob.kycRecordId, assignment);
    expect(await request(platformId, bob.externalUserId)).toBe(true);
    expect(await eraseDue(10)).toBe(0);
    await at("lease_until = null, due_at = null, needs_attention_since = now()");
    expect(await eraseDue(10)).toBe(0);
    await kyc.recordProviderUpdate(bob.about, answered("pending_approval"));
    await at("lease_until = clock_timestamp() + interval '1 hour'");
    expect(await eraseDue(10)).toBe(0);
    // A user who waits does not delay another user.
    expect(await request(platformId, userId)).toBe(true);
    expect(await eraseDue(1)).toBe(1);
    await at("lease_until = clock_timestamp() - interval '1 second'");
    expect(await eraseDue(10)).toBe(1);
    expect(await eraseDue(10)).toBe(0);
  });

  test("is requested once, and only for an existing user of the platform who is not erased", async () => {
    const world = await resolvedWorld();
    const { platform, platformId, userId, rowsOf } = world;
    const { request } = world.erasures;
    expect(await request(await platform(), userId)).toBe(false);
    expect(await request(platformId, "usr_nobody")).toBe(false);
    await request(platformId, userId);
    const [first] = await rowsOf("users", platformId);
    await erase(world);
    const [last] = await rowsOf("users", platformId);
    expect(last?.erase_requested_at).toEqual(first?.erase_requested_at);
    expect(await request(platformId, userId)).toBe(false);
  });

  test("is not undone when the user is stored again", async () => {
    const world = await resolvedWorld();
    const { platformId, userId, rowsOf, urls } = world;
    await erase(world);
    const before = await rowsOf("users", platformId);
    const details = { platformId, externalUserId: userId, memberId: "member-1", email: "ada@example.com" };
    await putUser(urls.ownerUrl, details, keys);
    expect(await rowsOf("users", platformId)).toEqual(before);
  });
});

test("an event or an answer of the provider still changes an erased user's record, and nothing more is sent", async () => {
  const world = await makeWorld({ until: onTestFinished });
  const { erasures, kyc, set, submitted } = world;
  const { platformId, record, kycRecordId, about } = await submitted();
  await kyc.storeVerdict(platformId, record, answered("pending_approval"));
  await erasures.request(platformId, record.externalUserId);
  expect(await erasures.eraseDue(10)).toBe(1);

  await set(kycRecordId, "step = 'send', due_at = now()");
  const [leased] = await kyc.leaseDue(1);
  if (!leased) throw new Error("nothing due");
  expect(await kyc.loadAttempt(platformId, leased)).toMatchObject({ step: "ask", record: { attempt: 2 } });
  await kyc.storeVerdict(platformId, { ...record, ...leased }, answered("approved", "acct_2", 2));
  await kyc.recordProviderUpdate(about, answered("rejected", null, 3));
  expect(await kyc.history(platformId, kycRecordId)).toMatchObject({
    record: { status: "REJECTED", cardAccountId: "acct_2" },
    history: [{ source: "submission" }, {}, { source: "provider" }, { source: "event" }],
  });
});

describe("a submission of a user whose erasure was requested (G26)", () => {
  test("replays the record of an equal body and creates no new record", async () => {
    const world = await resolvedWorld();
    const { kyc, platformId, userId, count } = world;
    await world.erasures.request(platformId, userId);
    const equal = await kyc.createOrReplay(platformId, aRequest({ occupation: "Poet" }));
    expect(equal).toMatchObject({ kind: "replay", record: { status: "APPROVED" } });
    expect(await kyc.createOrReplay(platformId, keyed("k1"))).toMatchObject({ kind: "replay" });
    for (const request of [aRequest({ occupation: "Cook" }), keyed("k9", { occupation: "Cook" })])
      await expect(kyc.createOrReplay(platformId, request)).rejects.toMatchObject({
        code: "USER_ERASURE_PENDING",
      });
    expect(await count("kyc_records", platformId)).toBe(2);
    expect(await count("idempotency_keys", platformId)).toBe(2);
  });

  test("that is concurrent is rejected or belongs to a new user, never to a partly erased user", async () => {
    const { all, erasures, kyc, platform, submitted } = await makeWorld({
      maxConnections: 10,
      until: onTestFinished,
    });
    for (let round = 0; round < 10; round += 1) {
      const platformId = await platform();
      const { record, externalUserId } = await submitted({}, platformId);
      await kyc.storeVerdict(platformId, record, { outcome: "refused" });
      const submit = (index: number) =>
        kyc.createOrReplay(platformId, aRequest({ occupation: `Job ${index}` })).catch(({ code }) => code);
      const erasing = erasures
        .request(platformId, externalUserId)
        .then(() => Promise.all([erasures.eraseDue(10), erasures.eraseDue(10)]));
      const [outcomes] = await Promise.all([Promise.all([0, 1, 2, 3, 4, 5].map(submit)), erasing]);
      for (const outcome of outcomes)
        if (typeof outcome === "string")
          expect(["USER_ERASURE_PENDING", "KYC_ALREADY_SUBMITTED"]).toContain(outcome);
    }
    await erasures.eraseDue(100);
    const users = await all("users");
    const erased = new Set(users.filter(({ erased_at }) => erased_at !== null).map(({ id }) => id));
    expect(erased.size).toBeGreaterThan(0);
    for (const { user_id, encrypted, resolution } of await all("kyc_records")) {
      expect(encrypted === null).toBe(erased.has(user_id));
      if (erased.has(user_id)) expect(resolution).not.toBe("unresolved");
    }
  });
});

describe("expiring users", () => {
  const age = ({ admin }: Resolved, table: string) =>
    admin(`update ${table} set created_at = now() - interval '31 days'`);

  test("requests the erasure of users whose latest record is older, up to a limit", async () => {
    const world = await resolvedWorld();
    const { admin, kyc, platformId, submitted } = world;
    const { requestExpired, eraseDue } = world.erasures;
    const [two, three, four] = [someone(2), someone(3), someone(4)];
    for (const names of [two, three]) {
      const { record } = await submitted(names, platformId);
      await kyc.storeVerdict(platformId, record, answered("rejected"));
    }
    // An unresolved record.
    await submitted(four, platformId);
    await age(world, "users");
    expect(await requestExpired(30, 10)).toBe(0);
    await age(world, "kyc_records");
    expect(await requestExpired(32, 10)).toBe(0);
    // A new record.
    const { record } = await submitted({ ...three, occupation: "Poet" }, platformId);
    const { record: approved } = await kyc.storeVerdict(platformId, record, answered("approved"));
    expect(await requestExpired(30, 1)).toBe(1);
    expect(await requestExpired(30, 10)).toBe(1);
    expect(await requestExpired(30, 10)).toBe(0);
    await admin("update kyc_records set lease_until = null");
    expect(await eraseDue(10)).toBe(2);
    const latest = [two, three, four].map(({ memberId }) => kyc.current(platformId, { memberId }));
    expect(await Promise.all(latest)).toMatchObject([
      null,
      { ...approved, approvedAt: expect.any(Date) },
      expect.any(Object),
    ]);
  });

  test("uses the age of the user where there is no record", async () => {
    const world = await resolvedWorld();
    const { platformId, urls } = world;
    await putUser(urls.ownerUrl, { platformId, externalUserId: "usr_bob", ...someone("bob") }, keys);
    expect(await world.erasures.requestExpired(30, 10)).toBe(0);
    await age(world, "users");
    expect(await world.erasures.requestExpired(30, 10)).toBe(1);
  });
});
