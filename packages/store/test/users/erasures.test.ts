import { describe, expect, onTestFinished, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { putUser, usersRepository } from "../../src/index.ts";
import { testErasures } from "../support/erasures.ts";
import { reader } from "../support/rows.ts";
import { answered, aRequest, keys, makeWorld } from "../support/world.ts";

const ada = { memberId: "member-1" };

/** Creates a user with a rejected and an approved record, each with an idempotency key. */
async function resolvedWorld() {
  const world = await makeWorld({ maxConnections: 10, until: onTestFinished });
  const platformId = await world.platform();
  const keyed = (key: string, changes = {}) => ({
    ...aRequest(changes),
    idempotencyKey: key,
  });
  const first = await world.kyc.createOrReplay(platformId, keyed("k1"));
  await world.kyc.storeVerdict(platformId, first.record, answered("rejected"));
  const second = await world.kyc.createOrReplay(platformId, keyed("k2", { occupation: "Poet" }));
  await world.kyc.keepStep(platformId, second.record, "create", { id: "holder_1" });
  await world.kyc.storeVerdict(platformId, second.record, answered("approved", "acct_1"));
  return {
    ...world,
    platformId,
    keyed,
    userId: first.record.externalUserId,
    records: [first.record.kycRecordId, second.record.kycRecordId],
    erasures: testErasures(world.database),
    users: usersRepository(world.database, keys),
    asAdmin: (text: string, values: unknown[] = []) =>
      withConnection(world.urls.adminUrl, (client) => client.query(text, values)),
    ...reader(world.urls.adminUrl),
  };
}
type Resolved = Awaited<ReturnType<typeof resolvedWorld>>;

const erase = async ({ erasures: { request, eraseDue }, platformId, userId }: Resolved) => {
  expect(await request(platformId, userId)).toBe(true);
  expect(await eraseDue(10)).toBe(1);
};

describe("erasing a user", () => {
  test("deletes the results of the steps at the provider", async () => {
    const world = await resolvedWorld();
    expect(await world.all("provider_steps")).toHaveLength(1);
    await erase(world);
    expect(await world.all("provider_steps")).toEqual([]);
  });

  test("destroys the data key, everything encrypted under it, and the blind indexes", async () => {
    const world = await resolvedWorld();
    const { platformId, userId, rowsOf } = world;
    await erase(world);
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
      expect(row).toMatchObject({ encrypted: null, fingerprint: null });
    }
    expect(await rowsOf("idempotency_keys", platformId)).toEqual([]);
  });

  test("keeps the history of ids and statuses, but the user cannot be found", async () => {
    const world = await resolvedWorld();
    const { kyc, users, platformId, records, userId } = world;
    const histories = () => Promise.all(records.map((id) => kyc.history(platformId, id)));
    const before = await histories();
    await erase(world);
    expect(before.map((entry) => entry?.memberId)).toEqual(records.map(() => ada.memberId));
    expect(await histories()).toEqual(before.map((entry) => ({ ...entry, memberId: null })));
    expect(before[1]).toMatchObject({
      record: { externalUserId: userId, status: "APPROVED", cardAccountId: "acct_1" },
      history: [{ source: "submission" }, { source: "provider", status: "APPROVED" }],
    });
    expect(await users.find(platformId, ada)).toBeNull();
    expect(await users.find(platformId, { email: "ada@example.com" })).toBeNull();
    expect(await kyc.latest(platformId, ada)).toBeNull();
  });

  test("frees the names and keys: the same body under the same key creates a new user", async () => {
    const world = await resolvedWorld();
    const { kyc, platformId, userId, keyed } = world;
    await erase(world);
    const again = await kyc.createOrReplay(platformId, keyed("k2", { occupation: "Poet" }));
    expect(again.kind).toBe("new");
    expect(again.record.externalUserId).not.toBe(userId);
    expect(await kyc.latest(platformId, ada)).toEqual(again.record);
  });

  test("changes no other user, on this or another platform", async () => {
    const world = await resolvedWorld();
    const { kyc, platform, platformId, keyed, all } = world;
    const others = [
      await kyc.createOrReplay(platformId, keyed("k3", { memberId: "member-2", email: "bob@example.com" })),
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
    const { kyc, platformId, userId, asAdmin } = world;
    const { request, eraseDue } = world.erasures;
    const bob = { memberId: "member-2", email: "bob@example.com" };
    const { record } = await kyc.createOrReplay(platformId, aRequest(bob));
    const at = (assignment: string) =>
      asAdmin(`update kyc_records set ${assignment} where id = $1`, [record.kycRecordId]);
    expect(await request(platformId, record.externalUserId)).toBe(true);
    expect(await eraseDue(10)).toBe(0);
    await at("lease_until = null, due_at = null, needs_attention_since = now()");
    expect(await eraseDue(10)).toBe(0);
    await kyc.recordProviderUpdate(
      { reference: record.kycRecordId, userReference: record.externalUserId },
      answered("pending_approval"),
    );
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

describe("a provider's update of an erased user's record", () => {
  test("still changes its status, by an event or an answer, and nothing more is sent", async () => {
    const world = await resolvedWorld();
    const { kyc, platformId, asAdmin } = world;
    const bob = { memberId: "member-2", email: "bob@example.com" };
    const { record } = await kyc.createOrReplay(platformId, aRequest(bob));
    await kyc.storeVerdict(platformId, record, answered("pending_approval"));
    await world.erasures.request(platformId, record.externalUserId);
    expect(await world.erasures.eraseDue(10)).toBe(1);

    await asAdmin("update kyc_records set step = 'send', due_at = now() where id = $1", [record.kycRecordId]);
    const [leased] = await kyc.leaseDue(1);
    if (!leased) throw new Error("nothing due");
    expect(await kyc.loadAttempt(platformId, leased)).toMatchObject({ step: "ask", record: { attempt: 2 } });
    await kyc.storeVerdict(platformId, { ...record, ...leased }, answered("approved", "acct_2", 2));
    await kyc.recordProviderUpdate(
      { reference: record.kycRecordId, userReference: record.externalUserId },
      answered("rejected", null, 3),
    );
    expect(await kyc.history(platformId, record.kycRecordId)).toMatchObject({
      record: { status: "REJECTED", cardAccountId: "acct_2" },
      history: [{ source: "submission" }, {}, { source: "provider" }, { source: "event" }],
    });
  });
});

describe("a submission of a user whose erasure was requested (G26)", () => {
  test("replays the record of an equal body and creates no new record", async () => {
    const world = await resolvedWorld();
    const { kyc, platformId, userId, keyed, count } = world;
    await world.erasures.request(platformId, userId);
    const equal = await kyc.createOrReplay(platformId, aRequest({ occupation: "Poet" }));
    expect(equal).toMatchObject({ kind: "replay", record: { status: "APPROVED" } });
    expect(await kyc.createOrReplay(platformId, keyed("k1"))).toMatchObject({ kind: "replay" });
    await expect(kyc.createOrReplay(platformId, aRequest({ occupation: "Cook" }))).rejects.toMatchObject({
      code: "USER_ERASURE_PENDING",
    });
    await expect(kyc.createOrReplay(platformId, keyed("k9", { occupation: "Cook" }))).rejects.toMatchObject({
      code: "USER_ERASURE_PENDING",
    });
    expect(await count("kyc_records", platformId)).toBe(2);
    expect(await count("idempotency_keys", platformId)).toBe(2);
  });

  test("that is concurrent is rejected or belongs to a new user, never to a partly erased user", async () => {
    const world = await resolvedWorld();
    const { kyc, platformId, rowsOf, all } = world;
    const { request, eraseDue } = world.erasures;
    for (let round = 0; round < 25; round += 1) {
      const latest = await kyc.latest(platformId, ada);
      if (!latest) throw new Error("no record");
      await kyc.storeVerdict(platformId, latest, answered("rejected", null, 10));
      const submissions = Array.from({ length: 6 }, (_, index) =>
        kyc
          .createOrReplay(platformId, aRequest({ occupation: `Job ${round} ${index}` }))
          .catch(({ code }) => code),
      );
      const erasing = request(platformId, latest.externalUserId).then(() =>
        Promise.all([eraseDue(10), eraseDue(10)]),
      );
      const outcomes = await Promise.all([...submissions, erasing]);
      for (const outcome of outcomes.slice(0, -1)) {
        if (typeof outcome === "string")
          expect(["USER_ERASURE_PENDING", "KYC_ALREADY_SUBMITTED"]).toContain(outcome);
      }
      // The next round needs a user whose erasure is not requested.
      for (const row of await rowsOf("kyc_records", platformId)) {
        if (row.resolution !== "unresolved") continue;
        const reference = { reference: String(row.id), userReference: String(row.user_id) };
        await kyc.recordProviderUpdate(reference, answered("rejected"));
        await world.asAdmin("update kyc_records set lease_until = null where id = $1", [row.id]);
      }
      await eraseDue(10);
      if (!(await kyc.latest(platformId, ada))) await kyc.createOrReplay(platformId, aRequest());
    }
    const users = await all("users");
    expect(users.filter(({ erased_at }) => erased_at === null)).toHaveLength(1);
    const erased = new Set(users.filter(({ erased_at }) => erased_at !== null).map(({ id }) => id));
    expect(erased.size).toBeGreaterThan(10);
    for (const { user_id, encrypted, resolution } of await all("kyc_records")) {
      expect(encrypted === null).toBe(erased.has(user_id));
      if (erased.has(user_id)) expect(resolution).not.toBe("unresolved");
    }
  });
});

describe("expiring users", () => {
  const days = (world: Resolved, table: string, age: number) =>
    world.asAdmin(`update ${table} set created_at = now() - interval '${age} days'`);

  test("requests the erasure of users whose latest record is older, up to a limit", async () => {
    const world = await resolvedWorld();
    const { kyc, platformId, asAdmin } = world;
    const { requestExpired, eraseDue } = world.erasures;
    for (let number = 2; number < 5; number += 1) {
      const changes = { memberId: `member-${number}`, email: `user-${number}@example.com` };
      const { record } = await kyc.createOrReplay(platformId, aRequest(changes));
      if (number < 4) await kyc.storeVerdict(platformId, record, answered("rejected"));
    }
    await days(world, "users", 31);
    expect(await requestExpired(30, 10)).toBe(0);
    await days(world, "kyc_records", 31);
    expect(await requestExpired(32, 10)).toBe(0);
    // Member 4 has an unresolved record, and member 3 has a new record.
    const again = aRequest({ memberId: "member-3", email: "user-3@example.com", occupation: "Poet" });
    const { record } = await kyc.createOrReplay(platformId, again);
    const { record: approved } = await kyc.storeVerdict(platformId, record, answered("approved"));
    expect(await requestExpired(30, 1)).toBe(1);
    expect(await requestExpired(30, 10)).toBe(1);
    expect(await requestExpired(30, 10)).toBe(0);
    await asAdmin("update kyc_records set lease_until = null");
    expect(await eraseDue(10)).toBe(2);
    expect(await kyc.latest(platformId, { memberId: "member-2" })).toBeNull();
    expect(await kyc.latest(platformId, { memberId: "member-3" })).toEqual(approved);
    expect(await kyc.latest(platformId, { memberId: "member-4" })).not.toBeNull();
  });

  test("uses the age of the user where there is no record", async () => {
    const world = await resolvedWorld();
    const { platformId, urls } = world;
    const details = { platformId, externalUserId: "usr_bob", memberId: "bob", email: "bob@example.com" };
    await putUser(urls.ownerUrl, details, keys);
    expect(await world.erasures.requestExpired(30, 10)).toBe(0);
    await world.asAdmin("update users set created_at = now() - interval '31 days' where id = 'usr_bob'");
    expect(await world.erasures.requestExpired(30, 10)).toBe(1);
  });
});
