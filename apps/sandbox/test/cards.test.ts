import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type RunningSandbox, runSandbox } from "./support/sandbox.ts";
import { submission } from "./support/submission.ts";

function card(cardId: string, createdAt: string | null, more: object = {}) {
  return { userReference: "usr_1", cardId, status: "active", createdAt, ...more };
}

async function ids(sandbox: RunningSandbox, query: string): Promise<string[]> {
  const { body } = await sandbox.list(query);
  return body.items.map(({ cardId }: { cardId: string }) => cardId);
}

describe("cards", () => {
  test("newest first, then by id in code units; cards without a date last", async () => {
    const sandbox = await runSandbox();
    await sandbox.putCards([
      card("card_undated", null),
      card("card_b", "2026-01-01T00:00:00Z"),
      card("card_a", "2026-01-01T01:00:00+01:00"),
      card("card_B", "2026-01-01T00:00:00.000Z"),
      card("card_new", "2026-01-02T00:00:00Z"),
    ]);
    expect(await ids(sandbox, "userReference=usr_1&sort=-createdAt,cardId")).toEqual([
      "card_new",
      "card_B",
      "card_a",
      "card_b",
      "card_undated",
    ]);
  });

  test("pages cover everything once, and go on past the end empty", async () => {
    const sandbox = await runSandbox();
    const all = Array.from({ length: 25 }, (_, index) => `card_${String(index).padStart(2, "0")}`);
    await sandbox.putCards(all.map((cardId) => card(cardId, "2026-01-01T00:00:00Z")));

    const pages = [];
    for (const page of [1, 2, 3])
      pages.push(await ids(sandbox, `userReference=usr_1&page=${page}&pageSize=10`));
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(pages.flat()).toEqual(all);
    expect(await ids(sandbox, "userReference=usr_1")).toHaveLength(20);
    expect((await sandbox.list("userReference=usr_1&page=4&pageSize=10")).body).toEqual({
      userReference: "usr_1",
      page: 4,
      pageSize: 10,
      total: 25,
      items: [],
    });
  });

  test("a status lets exactly its own through, and total counts those", async () => {
    const sandbox = await runSandbox();
    await sandbox.putCards([
      card("card_1", "2026-01-01T00:00:00Z", { status: "frozen" }),
      card("card_2", "2026-01-02T00:00:00Z", { status: "Frozen" }),
      card("card_3", "2026-01-03T00:00:00Z"),
    ]);
    expect((await sandbox.list("userReference=usr_1&status=frozen&pageSize=1")).body).toMatchObject({
      total: 1,
      items: [{ cardId: "card_1" }],
    });
    expect((await sandbox.list("userReference=usr_1&status=none")).body).toMatchObject({
      total: 0,
      items: [],
    });
  });

  test("a user is known by a card or an executed submission, and sees no one else's cards", async () => {
    const sandbox = await runSandbox();
    expect(await sandbox.list("userReference=usr_1")).toMatchObject({
      status: 404,
      body: { error: { code: "user_not_found" } },
    });
    await sandbox.submit("kyc_1", submission("pending", "usr_1"));
    await sandbox.putCards([card("card_2", null, { userReference: "usr_2" })]);
    expect(await ids(sandbox, "userReference=usr_1")).toEqual([]);
    expect(await ids(sandbox, "userReference=usr_2")).toEqual(["card_2"]);
  });

  test.each([
    "",
    "userReference=",
    "userReference=usr_1&page=0",
    "userReference=usr_1&page=x",
    "userReference=usr_1&pageSize=0",
    "userReference=usr_1&pageSize=101",
    "userReference=usr_1&pageSize=1.5",
    "userReference=usr_1&sort=cardId",
  ])("the query '%s' is a bad request", async (query) => {
    const sandbox = await runSandbox();
    expect(await sandbox.list(query)).toMatchObject({
      status: 400,
      body: { error: { code: "bad_request" } },
    });
  });

  test("put cards come back as they are, further fields too, and replace by id", async () => {
    const sandbox = await runSandbox();
    const first = card("card_1", "2026-01-01T00:00:00Z", { memberId: "m-1", pan: "4242424242424242" });
    expect((await sandbox.putCards([first])).body).toEqual({ stored: 1 });
    expect((await sandbox.list("userReference=usr_1")).body.items).toEqual([first]);

    const moved = card("card_1", "2026-01-01T00:00:00Z", { userReference: "usr_2", status: "closed" });
    await sandbox.putCards([moved]);
    expect(await ids(sandbox, "userReference=usr_1")).toEqual([]);
    expect((await sandbox.list("userReference=usr_2")).body.items).toEqual([moved]);
  });

  test("putting the same cards again writes nothing", async () => {
    const sandbox = await runSandbox();
    const journal = () => readFile(join(sandbox.dataFolder, "journal.jsonl"), "utf8");
    const cards = [card("card_1", "2026-01-01T00:00:00Z"), card("card_2", null)];
    await sandbox.putCards(cards);
    const before = await journal();
    expect((await sandbox.putCards(cards)).body).toEqual({ stored: 2 });
    expect(await journal()).toBe(before);
  });

  test("cards that are none are a bad request, and none of them is kept", async () => {
    const sandbox = await runSandbox();
    expect((await sandbox.putCards([card("card_1", null), { cardId: "card_2" }])).status).toBe(400);
    expect((await sandbox.list("userReference=usr_1")).status).toBe(404);
  });
});
