import { randomUUID } from "node:crypto";
import type { NewNote } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { recordNotes } from "../../src/database.ts";
import { aCaller, answered, keys, makeWorld } from "../support/world.ts";

const { admin: asAdmin, audit, database, erasures, kyc, records, submitted } = await makeWorld();
const ada = { personId: "per_ada", name: "Ada" };
const names = async (ids: readonly string[]) => (ids.includes("per_ada") ? [ada] : []);
const notes = recordNotes(database, keys, names);
const by = { ...aCaller, actor: "per_ada/key_1", operation: "records.addNote" };

async function created() {
  const { platformId, record, kycRecordId: id, externalUserId: userId } = await submitted();
  await kyc.storeVerdict(platformId, record, answered("rejected"));
  return { platformId, id, userId };
}

const aNote = (changes: Partial<NewNote> = {}): NewNote => ({
  noteId: `note_${randomUUID()}`,
  text: "Sends a sharper image.\nTomorrow.",
  restricted: false,
  actor: by.actor,
  personId: "per_ada",
  ...changes,
});
const rejection = (promise: Promise<unknown>) => promise.catch(({ code }: { code: string }) => code);

describe("notes about a record", () => {
  test("are listed oldest first with their persons, and counted", async () => {
    const { platformId, id } = await created();
    expect(await notes.list(id, true)).toEqual({ notes: [], hidden: 0 });
    const first = await notes.add(id, aNote(), by);
    expect(first).toEqual({
      noteId: expect.stringMatching(/^note_/),
      text: "Sends a sharper image.\nTomorrow.",
      restricted: false,
      by: ada,
      actor: by.actor,
      createdAt: expect.stringMatching(/Z$/),
    });
    const second = await notes.add(id, aNote({ personId: null, actor: "person:eve" }), by);
    const third = await notes.add(id, aNote({ personId: "per_gone" }), by);
    expect(second.by).toBeNull();
    expect(third.by).toEqual({ personId: "per_gone", name: null });
    expect(await notes.list(id, false)).toEqual({ notes: [first, second, third], hidden: 0 });
    expect(await records.state(id)).toMatchObject({ notes: 3 });
    const entries = (await audit.list([platformId], { limit: 100 })).entries.filter(
      ({ operation }) => operation === by.operation,
    );
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({ subject: id, outcome: "done", person: "per_ada", actor: "key_1" });
  });

  test("that are restricted are only counted for others", async () => {
    const { id } = await created();
    await notes.add(id, aNote(), by);
    await notes.add(id, aNote({ restricted: true, text: "Watch list." }), by);
    const seen = await notes.list(id, false);
    expect(seen).toMatchObject({ notes: [{ restricted: false }], hidden: 1 });
    expect(JSON.stringify(seen)).not.toContain("Watch");
    expect(await notes.list(id, true)).toMatchObject({ notes: [{}, { text: "Watch list." }], hidden: 0 });
    expect(await records.state(id)).toMatchObject({ notes: 2 });
  });

  test("are unreadable in the database, and in another record's row", async () => {
    const { platformId, id } = await created();
    const { kycRecordId: other } = await submitted({ occupation: "Poet" }, platformId);
    await notes.add(id, aNote({ text: "A secret" }), by);
    const [row] = await asAdmin(
      "select encrypted::text, encode(encrypted, 'escape') as text from record_notes where record_id = $1",
      [id],
    );
    expect(JSON.stringify(row)).not.toContain("secret");
    // The same user, so the same data key: only the bound record differs.
    await asAdmin("update record_notes set record_id = $2 where record_id = $1", [id, other]);
    expect(await rejection(notes.list(other, true))).toBe("SERVICE_UNAVAILABLE");
  });

  test("are at most 500, also when they are added at once", async () => {
    const { platformId, id } = await created();
    await asAdmin(
      `insert into record_notes (id, platform_id, record_id, restricted, encrypted, actor)
       select 'note_' || $2 || n, $1, $2, true, '', 'x' from generate_series(1, 498) as n`,
      [platformId, id],
    );
    const results = await Promise.all(Array.from({ length: 6 }, () => rejection(notes.add(id, aNote(), by))));
    expect(results.filter((result) => result === "KYC_RECORD_CONFLICT")).toHaveLength(4);
    expect(await records.state(id)).toMatchObject({ notes: 500 });
  });

  test("exist for records only", async () => {
    expect(await notes.list("kyc_none", true)).toBeNull();
    expect(await rejection(notes.add("kyc_none", aNote(), by))).toBe("KYC_RECORD_NOT_FOUND");
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
    await notes.add(id, aNote(), by);
    await notes.add(other.id, aNote(), by);
    await erase(platformId, userId);
    expect(await asAdmin("select from record_notes where record_id = $1", [id])).toEqual([]);
    expect(await notes.list(id, true)).toEqual({ notes: [], hidden: 0 });
    expect(await records.state(id)).toMatchObject({ notes: 0 });
    expect(await rejection(notes.add(id, aNote(), by))).toBe("KYC_RECORD_CONFLICT");
    expect(await notes.list(other.id, true)).toMatchObject({ notes: [{}] });
  });

  test("leaves no note behind that is added at the same time", async () => {
    const { platformId, id, userId } = await created();
    await erasures.request(platformId, userId);
    const added = Array.from({ length: 8 }, () => rejection(notes.add(id, aNote(), by)));
    // An erasure skips a user who is locked.
    const erasing = (async () => {
      while ((await erasures.eraseDue(10)) === 0);
    })();
    await Promise.all([...added, erasing]);
    expect(await asAdmin("select from record_notes where record_id = $1", [id])).toEqual([]);
  });
});
