import { describe, expect, test } from "vitest";
import { card, cardIds, runSandbox } from "./support/sandbox.ts";
import { submission } from "./support/submission.ts";

const unknown = (cardId: string) => ({ status: 404, body: { cardId, error: { code: "card_not_found" } } });

describe("GET /v1/cards/{cardId}", () => {
  test("returns a card of any user with its owner, and 404 for an unknown id", async () => {
    const sandbox = await runSandbox();
    const one = card("card_1:a@b", "2026-01-01T00:00:00Z", { userReference: "usr_7" });
    await sandbox.putCards([one]);
    expect(await sandbox.call("GET", `/v1/cards/${encodeURIComponent(one.cardId)}`)).toMatchObject({
      status: 200,
      body: one,
    });
    expect(await sandbox.call("GET", "/v1/cards/card_2")).toMatchObject(unknown("card_2"));
    expect((await fetch(`${sandbox.url}/v1/cards/card_1`)).status).toBe(401);
  });

  test("returns an issued card from its approval on, and a replaced card as stored", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission());
    sandbox.clock.now += 5_000;
    const { items } = (await sandbox.list("userReference=usr_1")).body;
    const [{ cardId }] = items;
    expect((await sandbox.call("GET", `/v1/cards/${cardId}`)).body).toEqual(items[0]);
    sandbox.clock.now -= 5_000;
    expect(await sandbox.call("GET", `/v1/cards/${cardId}`)).toMatchObject(unknown(cardId));

    await sandbox.putCards([card(cardId, null, { userReference: "usr_2" })]);
    expect((await sandbox.call("GET", `/v1/cards/${cardId}`)).body).toMatchObject({ userReference: "usr_2" });
    expect(await cardIds(sandbox, "userReference=usr_1")).toEqual([]);
  });
});

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
    const sorted = ["card_new", "card_B", "card_a", "card_b", "card_undated"];
    expect(await cardIds(sandbox, "userReference=usr_1&sort=-createdAt,cardId")).toEqual(sorted);
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
    const { body } = await sandbox.list("userReference=usr_1&page=4&pageSize=10");
    expect(body).toEqual({ userReference: "usr_1", page: 4, pageSize: 10, total: 25, items: [] });
  });

  test("filters by the exact status, and total counts the filtered cards", async () => {
    const sandbox = await runSandbox();
    await sandbox.putCards([
      card("card_1", null, { status: "frozen" }),
      card("card_2", null, { status: "Frozen" }),
    ]);
    const { body } = await sandbox.list("userReference=usr_1&status=frozen&pageSize=1");
    expect(body).toMatchObject({ total: 1, items: [{ cardId: "card_1" }] });
  });

  test("finds users with a card or an executed submission, and lists only their cards", async () => {
    const sandbox = await runSandbox();
    const userNotFound = { status: 404, body: { error: { code: "user_not_found" } } };
    expect(await sandbox.list("userReference=usr_1")).toMatchObject(userNotFound);
    await sandbox.submit("kyc_1", submission("pending", "usr_1"));
    await sandbox.putCards([card("card_2", null, { userReference: "usr_2" })]);
    expect(await cardIds(sandbox, "userReference=usr_1")).toEqual([]);
    expect(await cardIds(sandbox, "userReference=usr_2")).toEqual(["card_2"]);
  });

  test("rejects invalid queries", async () => {
    const sandbox = await runSandbox();
    for (const query of ["page=0", "page=x", "pageSize=101", "pageSize=1.5", "sort=cardId"])
      expect(await sandbox.list(`userReference=usr_1&${query}`), query).toMatchObject({
        status: 400,
        body: { error: { code: "bad_request" } },
      });
    expect((await sandbox.list("userReference=")).status).toBe(400);
  });
});

describe("PUT /_cards", () => {
  test("stores cards with unknown fields and replaces a card with the same id", async () => {
    const sandbox = await runSandbox();
    const first = card("card_1", "2026-01-01T00:00:00Z", { memberId: "m-1", pan: "4242424242424242" });
    expect((await sandbox.putCards([first])).body).toEqual({ stored: 1 });
    expect((await sandbox.list("userReference=usr_1")).body.items).toEqual([first]);
    const moved = card("card_1", "2026-01-01T00:00:00Z", { userReference: "usr_2", status: "closed" });
    await sandbox.putCards([moved]);
    expect(await cardIds(sandbox, "userReference=usr_1")).toEqual([]);
    expect((await sandbox.list("userReference=usr_2")).body.items).toEqual([moved]);
  });

  test("writes nothing when the same cards are stored again", async () => {
    const sandbox = await runSandbox();
    const cards = [card("card_1", "2026-01-01T00:00:00Z"), card("card_2", null)];
    await sandbox.putCards(cards);
    const before = await sandbox.journal();
    expect((await sandbox.putCards(cards)).body).toEqual({ stored: 2 });
    expect(await sandbox.journal()).toBe(before);
  });

  test("rejects a list with an invalid card and stores none of its cards", async () => {
    const sandbox = await runSandbox();
    expect((await sandbox.putCards([card("card_1", null), { cardId: "card_2" }])).status).toBe(400);
    expect((await sandbox.list("userReference=usr_1")).status).toBe(404);
  });
});
