import { describe, expect, test } from "vitest";
import { card } from "../support/card.ts";
import { cardIds, runSandbox } from "../support/sandbox.ts";
import { submission } from "../support/submission.ts";

describe("GET /v1/cards", () => {
  test("sorts by date, newest first, then by id in code units, with undated cards last", async () => {
    const sandbox = await runSandbox();
    await sandbox.putCards([
      card("card_undated", null),
      card("card_b", "2026-01-01T00:00:00Z"),
      card("card_a", "2026-01-01T01:00:00+01:00"),
      card("card_B", "2026-01-01T00:00:00.000Z"),
      card("card_new", "2026-01-02T00:00:00Z"),
    ]);
    expect(await cardIds(sandbox, "userReference=usr_1&sort=-createdAt,cardId")).toEqual([
      "card_new",
      "card_B",
      "card_a",
      "card_b",
      "card_undated",
    ]);
  });

  test("returns every card on exactly one page, and empty pages after the last", async () => {
    const sandbox = await runSandbox();
    const all = Array.from({ length: 25 }, (_, index) => `card_${String(index).padStart(2, "0")}`);
    await sandbox.putCards(all.map((cardId) => card(cardId, "2026-01-01T00:00:00Z")));

    const pages = [];
    for (const page of [1, 2, 3])
      pages.push(await cardIds(sandbox, `userReference=usr_1&page=${page}&pageSize=10`));
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(pages.flat()).toEqual(all);
    expect(await cardIds(sandbox, "userReference=usr_1")).toHaveLength(20);
    expect((await sandbox.list("userReference=usr_1&page=4&pageSize=10")).body).toEqual({
      userReference: "usr_1",
      page: 4,
      pageSize: 10,
      total: 25,
      items: [],
    });
  });

  test("filters by the exact status, and total counts the filtered cards", async () => {
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

  test("finds users with a card or an executed submission, and lists only their cards", async () => {
    const sandbox = await runSandbox();
    expect(await sandbox.list("userReference=usr_1")).toMatchObject({
      status: 404,
      body: { error: { code: "user_not_found" } },
    });
    await sandbox.submit("kyc_1", submission("pending", "usr_1"));
    await sandbox.putCards([card("card_2", null, { userReference: "usr_2" })]);
    expect(await cardIds(sandbox, "userReference=usr_1")).toEqual([]);
    expect(await cardIds(sandbox, "userReference=usr_2")).toEqual(["card_2"]);
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
  ])("rejects the query '%s'", async (query) => {
    const sandbox = await runSandbox();
    expect(await sandbox.list(query)).toMatchObject({
      status: 400,
      body: { error: { code: "bad_request" } },
    });
  });
});
