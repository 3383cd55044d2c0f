import { describe, expect, test } from "vitest";
import { openDatabase } from "../../src/database.ts";
import { listRecordNotes } from "../../src/notes/list.ts";
import { operatorCall } from "../support/calls.ts";
import { actsOn, callOf, evidenceHash, makeProposalWorld, readerOf, refusal } from "../support/proposals.ts";
import { answered } from "../support/world.ts";

const world = await makeProposalWorld();
const { admin, audit, confirm, confirmOn, erasures, hold, holds, kyc, propose, proposed, proposals } = world;
const { records, stateOf, ports, submitted, urls, user, userAdmin: users, withdraw } = world;
const notesOf = async (kycRecordId: string) =>
  (await listRecordNotes.execute(ports, operatorCall, { kycRecordId })).data;

describe("a confirmation", () => {
  test("approves a record with the proposer's note, and audits both persons", async () => {
    const { kycRecordId, platformId, proposalId } = await proposed("approve", { note: "By telephone." });
    const result = await confirm(proposalId);
    const decided = { status: "APPROVED", cardAccountId: "acct_1" };
    const change = { before: { resolution: "unresolved" }, record: decided };
    expect(result).toMatchObject({ confirmed: true, change });
    expect(await records.show(kycRecordId)).toMatchObject({
      ...decided,
      history: [
        { source: "submission", by: null, proposedBy: null },
        { source: "person", by: "per_grace/key_1", proposedBy: "per_ada/key_1" },
      ],
    });
    expect(await notesOf(kycRecordId)).toMatchObject({
      notes: [{ text: "By telephone.", by: { name: "Ada" }, actor: "per_ada/key_1", restricted: false }],
    });
    const entries = (await audit.list([platformId], { limit: 3 })).entries;
    expect(entries.map(({ operation, subject, person }) => [operation, subject, person]).sort()).toEqual([
      ["proposals.confirm", proposalId, "per_grace"],
      ["propose", proposalId, "per_ada"],
      ["records.resolve", kycRecordId, "per_grace"],
    ]);
    expect(await proposals.show(proposalId, readerOf("per_grace"))).toMatchObject({
      state: "confirmed",
      decidedBy: { personId: "per_grace", name: "Grace" },
      decidedAt: expect.stringMatching(/Z$/),
      mayConfirm: false,
      mayWithdraw: false,
    });
  });

  test("relinks, requests an erasure and lifts a hold", async () => {
    const someone = await user();
    const { platformId, externalUserId } = someone;
    const { erase, relink } = actsOn(someone);
    const done = { confirmed: true, change: null };
    const holdId = await hold(someone);
    const lift = await propose({ kind: "liftHold", platformId, holdId });
    expect(await confirm(lift.proposalId, "per_grace", null)).toEqual(done);
    expect(await holds.list(platformId)).toMatchObject([
      { holdId, active: false, liftedBy: "per_grace/key_1" },
    ]);
    const relinked = await propose(relink);
    expect(await confirm(relinked.proposalId, "per_grace", null)).toEqual(done);
    const found = await users.show(platformId, { email: "erin@example.com" });
    expect(found).toMatchObject({ externalUserId, erasure: "none" });
    const erased = await propose(erase, { personId: null });
    expect(await confirm(erased.proposalId, "per_ada", null)).toEqual(done);
    expect(await users.show(platformId, { externalUserId })).toMatchObject({ erasure: "requested" });
    const entries = (await audit.list([platformId], { limit: 100 })).entries;
    const acts = entries.filter(({ operation }) => /^(users|holds\.lift)/.test(operation));
    expect(acts.map(({ operation, subject }) => [operation, subject]).sort()).toEqual([
      ["holds.lift", externalUserId],
      ["users.erase", externalUserId],
      ["users.relink", externalUserId],
    ]);
  });

  test.each([
    ["the same person", "same-person", async () => {}, "per_ada"],
    ["after the provider's verdict", "changed", verdict, "per_grace"],
    ["after 24 hours", "expired", expire, "per_grace"],
    ["after a withdrawal", "decided", withdrawn, "per_grace"],
  ] as const)("by or %s is refused, and changes nothing", async (_name, why, before, personId) => {
    const someone = await proposed("approve", { note: "A note" });
    const { kycRecordId, proposalId } = someone;
    await before(someone, proposalId);
    const was = await records.show(kycRecordId);
    expect(await confirm(proposalId, personId)).toEqual({ confirmed: false, why });
    expect(await records.show(kycRecordId)).toEqual({ ...was, readAt: expect.any(String) });
    expect(await notesOf(kycRecordId)).toMatchObject({ notes: [] });
  });

  type Someone = Awaited<ReturnType<typeof user>>;
  async function verdict({ platformId, record }: Someone, proposalId: string) {
    await kyc.storeVerdict(platformId, record, answered("pending_approval"));
    expect(await stateOf(proposalId)).toBe("void");
  }
  async function expire(_: Someone, proposalId: string) {
    await admin("update proposals set expires_at = clock_timestamp() where id = $1", [proposalId]);
    expect(await stateOf(proposalId)).toBe("expired");
  }
  async function withdrawn(_: Someone, proposalId: string) {
    expect(await withdraw(proposalId)).toEqual({ withdrawn: true });
    expect(await stateOf(proposalId)).toBe("withdrawn");
  }

  test("of other evidence is refused", async () => {
    const { proposalId } = await proposed("approve");
    for (const hash of ["b".repeat(64), null])
      expect(await confirm(proposalId, "per_grace", hash)).toEqual({ confirmed: false, why: "changed" });
    expect(await stateOf(proposalId)).toBe("open");
  });

  test("of an erasure is refused after a relink, a new record or a hold", async () => {
    const changes: ((someone: Someone) => Promise<unknown>)[] = [
      ({ platformId, externalUserId }) => users.relink(platformId, externalUserId, { memberId: "member-9" }),
      ({ platformId, record }) => kyc.storeVerdict(platformId, record, answered("rejected")),
      (someone) => hold(someone),
    ];
    for (const change of changes) {
      const { proposalId, ...someone } = await proposed("erase");
      await change(someone);
      expect(await confirm(proposalId)).toEqual({ confirmed: false, why: "changed" });
      expect(await stateOf(proposalId)).toBe("void");
    }
  });

  test("shows the user when it was proposed and now: holds and the erasure", async () => {
    const someone = await user();
    const { platformId, externalUserId } = someone;
    const ended = await hold(someone);
    await holds.lift(platformId, ended, "claim:eve");
    const { proposalId } = await propose(actsOn(someone).erase);
    const shown = async () => {
      const { whenProposed, now } = await proposals.show(proposalId, readerOf("per_grace"));
      return [whenProposed, now];
    };
    const free = { erasure: "none", held: false };
    expect(await shown()).toEqual([free, free]);
    const holdId = await hold(someone);
    expect(await shown()).toEqual([free, { ...free, held: true }]);
    await holds.lift(platformId, holdId, "claim:eve");
    await erasures.request(platformId, externalUserId);
    expect(await shown()).toEqual([free, { erasure: "requested", held: false }]);
  });

  test("of a relink is refused if another user got the identifier, and the proposal stays open", async () => {
    const { platformId, proposalId } = await proposed("relink");
    await submitted({ memberId: "member-2", email: "erin@example.com" }, platformId);
    expect(await refusal(confirm(proposalId))).toBe("USER_IDENTITY_CONFLICT");
    expect(await stateOf(proposalId)).toBe("open");
  });

  test("by a blocked or unknown person is refused", async () => {
    const { proposalId } = await proposed("erase");
    expect(await refusal(confirm(proposalId, "per_none"))).toBe("PERSON_BLOCKED");
    await admin("update persons set blocked_at = now() where id = 'per_grace'");
    expect(await refusal(confirm(proposalId))).toBe("PERSON_BLOCKED");
    expect(await refusal(withdraw(proposalId, "per_grace"))).toBe("PERSON_BLOCKED");
    await admin("update persons set blocked_at = null");
    expect(await stateOf(proposalId)).toBe("open");
  });

  test("happens once of several at the same time, also beside a withdrawal", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { kycRecordId, proposalId } = await proposed("approve", { personId: "per_cleo" });
      const both = [confirm(proposalId), confirm(proposalId, "per_ada"), withdraw(proposalId)];
      const results = await Promise.all(both);
      expect(results.filter((result) => result && !("why" in result))).toHaveLength(1);
      const { history, resolution } = (await records.show(kycRecordId)) ?? {};
      const isConfirmed = (await stateOf(proposalId)) === "confirmed";
      expect([history?.length, resolution]).toEqual(isConfirmed ? [2, "answered"] : [1, "unresolved"]);
    }
  });

  test("beside a verdict of the provider never approves another version", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { platformId, record, kycRecordId, proposalId } = await proposed("approve");
      const [confirmed] = await Promise.all([
        confirm(proposalId),
        kyc.storeVerdict(platformId, record, answered("rejected")),
      ]);
      const { history } = (await records.show(kycRecordId)) ?? {};
      // The provider's verdict replaces an approval that came first.
      const first = confirmed && "why" in confirmed ? "provider" : "person";
      expect(history?.map(({ source }) => source).slice(0, 2)).toEqual(["submission", first]);
    }
  });

  test("that fails in between leaves nothing behind", async () => {
    const { kycRecordId, proposalId } = await proposed("approve", { note: "A note" });
    const broken = openDatabase({
      url: urls.serviceUrl,
      onError: () => {},
      at: (point) => (point === "decided" ? Promise.reject(new Error("stopped")) : Promise.resolve()),
    });
    const stopped = confirmOn({ ...ports, database: broken }, proposalId, {
      personId: "per_grace",
      hash: evidenceHash,
    });
    await expect(stopped).rejects.toThrow("stopped");
    await broken.close();
    expect(await stateOf(proposalId)).toBe("open");
    expect(await records.show(kycRecordId)).toMatchObject({ resolution: "unresolved", notes: 0 });
    expect(await confirm(proposalId)).toMatchObject({ confirmed: true });
  });

  test("of a proposal that does not exist finds none", async () => {
    expect(await confirm("prop_none")).toBeUndefined();
    expect(await withdraw("prop_none")).toBeUndefined();
  });
});

describe("a withdrawal", () => {
  test.each([["per_ada"], ["per_grace"], [null]])("by %s is audited", async (personId) => {
    const { platformId, proposalId } = await proposed("erase");
    expect(await withdraw(proposalId, personId)).toEqual({ withdrawn: true });
    const shown = await proposals.show(proposalId, readerOf(null));
    expect(shown).toMatchObject({ state: "withdrawn" });
    expect(shown.decidedBy?.personId ?? null).toBe(personId);
    const entry = { operation: "proposals.withdraw", subject: proposalId, person: personId };
    expect((await audit.list([platformId], { limit: 1 })).entries[0]).toMatchObject(entry);
    expect(await withdraw(proposalId, personId)).toEqual({ withdrawn: false, why: "decided" });
  });
});

test("a record's decision of another version is refused, and its note is stored with it", async () => {
  const { kycRecordId } = await user();
  const version = (await records.show(kycRecordId))?.version;
  const by = callOf("per_ada", "records.resolve");
  const note = { noteId: "note_2", text: "Why", restricted: false, actor: by.actor, personId: "per_ada" };
  const decision = { outcome: "refused" } as const;
  expect(await records.resolve(kycRecordId, { decision, version: "1", note }, by)).toBe("changed");
  expect(await records.show(kycRecordId)).toMatchObject({ resolution: "unresolved", notes: 0 });
  expect(await records.resolve(kycRecordId, { decision, version, note }, by)).toMatchObject({
    record: { resolution: "refused" },
  });
  expect(await notesOf(kycRecordId)).toMatchObject({
    notes: [{ text: "Why", by: { name: "Ada" } }],
  });
});
