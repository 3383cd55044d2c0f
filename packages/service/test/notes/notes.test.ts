import type { OperatorScope } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { addRecordNote } from "../../src/notes/add.ts";
import { listRecordNotes } from "../../src/notes/list.ts";
import { codeOf, operatorCall, personCall } from "../support/calls.ts";
import { answered, makeWorld } from "../support/world.ts";

const { admin: asAdmin, audit, erasures, kyc, person, ports, records, submitted } = await makeWorld();
const ada = { personId: await person({ personId: "per_ada", name: "Ada" }), name: "Ada" };
const scopes: OperatorScope[] = ["ops.records.act", "ops.records.read"];
const agent = personCall(scopes);
const compliance = personCall([...scopes, "ops.compliance"]);

async function created() {
  const { platformId, record, kycRecordId: id, externalUserId: userId } = await submitted();
  await kyc.storeVerdict(platformId, record, answered("rejected"));
  return { platformId, id, userId };
}

const text = "Sends a sharper image.\nTomorrow.";
const add = (kycRecordId: string, note: { text?: string; restricted?: boolean } = {}, call = agent) =>
  addRecordNote.execute(ports, call, { kycRecordId, text, ...note }).then(({ data }) => data);
const list = (kycRecordId: string, call = compliance) =>
  listRecordNotes.execute(ports, call, { kycRecordId }).then(({ data }) => data);

describe("notes about a record", () => {
  test("are listed oldest first with their persons, and counted", async () => {
    const { platformId, id } = await created();
    expect(await list(id)).toEqual({ kycRecordId: id, notes: [], hidden: 0 });
    const first = await add(id);
    expect(first).toEqual({
      noteId: expect.stringMatching(/^note_/),
      text,
      restricted: false,
      by: ada,
      actor: "per_ada/key_1",
      createdAt: expect.stringMatching(/Z$/),
    });
    const second = await add(id, {}, operatorCall);
    const third = await add(id, {}, personCall(scopes, { personId: "per_gone" }));
    expect(second).toMatchObject({ by: null, actor: "claim:ada" });
    expect(third.by).toEqual({ personId: "per_gone", name: null });
    expect(await list(id)).toEqual({ kycRecordId: id, notes: [first, second, third], hidden: 0 });
    expect(await records.show(id)).toMatchObject({ notes: 3 });
    const entries = (await audit.list([platformId], { limit: 100 })).entries.filter(
      ({ operation }) => operation === "records.addNote",
    );
    expect(entries).toHaveLength(3);
    expect(entries[2]).toMatchObject({ subject: id, outcome: "done", person: "per_ada", actor: "key_1" });
  });

  test("that are restricted are added and read by compliance and at the command line, and only counted for others", async () => {
    const { id } = await created();
    expect(await codeOf(add(id, { restricted: true }))).toBe("SCOPE_MISSING");
    await add(id);
    await add(id, { restricted: true, text: "Watch list." }, compliance);
    const seen = await list(id, agent);
    expect(seen).toMatchObject({ notes: [{ restricted: false }], hidden: 1 });
    expect(JSON.stringify(seen)).not.toContain("Watch");
    for (const call of [compliance, operatorCall])
      expect(await list(id, call)).toMatchObject({ notes: [{}, { text: "Watch list." }], hidden: 0 });
    expect(await records.show(id)).toMatchObject({ notes: 2 });
  });

  test.each(["", " \n", "a\u0000b", "x".repeat(4_001)])("have text, unlike %j", async (invalid) => {
    const { id } = await created();
    expect(await codeOf(add(id, { text: invalid }))).toBe("INVALID_INPUT");
    expect(await records.show(id)).toMatchObject({ notes: 0 });
  });

  test("are unreadable in the database, and in another record's row", async () => {
    const { platformId, id } = await created();
    const { kycRecordId: other } = await submitted({ occupation: "Poet" }, platformId);
    await add(id, { text: "A secret" });
    const [row] = await asAdmin(
      "select encrypted::text, encode(encrypted, 'escape') as text from record_notes where record_id = $1",
      [id],
    );
    expect(JSON.stringify(row)).not.toContain("secret");
    // The same user, so the same data key: only the bound record differs.
    await asAdmin("update record_notes set record_id = $2 where record_id = $1", [id, other]);
    expect(await codeOf(list(other))).toBe("SERVICE_UNAVAILABLE");
  });

  test("are at most 500, also when they are added at once", async () => {
    const { platformId, id } = await created();
    await asAdmin(
      `insert into record_notes (id, platform_id, record_id, restricted, encrypted, actor)
       select 'note_' || $2 || n, $1, $2, true, '', 'x' from generate_series(1, 498) as n`,
      [platformId, id],
    );
    const results = await Promise.all(Array.from({ length: 6 }, () => codeOf(add(id))));
    expect(results.filter((result) => result === "KYC_RECORD_CONFLICT")).toHaveLength(4);
    expect(await records.show(id)).toMatchObject({ notes: 500 });
  });

  test("exist for records only", async () => {
    expect(await codeOf(list("kyc_none"))).toBe("KYC_RECORD_NOT_FOUND");
    expect(await codeOf(add("kyc_none"))).toBe("KYC_RECORD_NOT_FOUND");
  });
});

describe("an erasure", () => {
  const erase = async (platformId: string, userId: string) => {
    await erasures.request(platformId, userId);
    expect(await erasures.eraseDue(10)).toBe(1);
  };

  test("deletes the notes about its user only, and allows no new ones", async () => {
    const { platformId, id, userId } = await created();
    const other = await created();
    await add(id);
    await add(other.id);
    await erase(platformId, userId);
    expect(await asAdmin("select from record_notes where record_id = $1", [id])).toEqual([]);
    expect(await list(id)).toEqual({ kycRecordId: id, notes: [], hidden: 0 });
    expect(await records.show(id)).toMatchObject({ notes: 0 });
    expect(await codeOf(add(id))).toBe("KYC_RECORD_CONFLICT");
    expect(await list(other.id)).toMatchObject({ notes: [{}] });
  });

  test("leaves no note behind that is added at the same time", async () => {
    const { platformId, id, userId } = await created();
    await erasures.request(platformId, userId);
    const added = Array.from({ length: 8 }, () => codeOf(add(id)));
    // An erasure skips a user who is locked.
    const erasing = (async () => {
      while ((await erasures.eraseDue(10)) === 0);
    })();
    await Promise.all([...added, erasing]);
    expect(await asAdmin("select from record_notes where record_id = $1", [id])).toEqual([]);
  });
});
