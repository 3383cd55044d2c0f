import { describe, expect, test } from "vitest";
import { card, cardIds, runSandbox } from "./support/sandbox.ts";
import { submission } from "./support/submission.ts";

// The conformance tests of the provider contract cover pages, filters, the order of lists and look-ups by id.

describe("GET /v1/cards/{cardId}", () => {
  test("returns an issued card from its approval on, and a replaced card as stored", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission());
    sandbox.clock.now += 5_000;
    const { items } = (await sandbox.list("userReference=usr_1")).body;
    const [{ cardId }] = items;
    expect((await sandbox.call("GET", `/v1/cards/${cardId}`)).body).toEqual(items[0]);
    sandbox.clock.now -= 5_000;
    const unknown = { status: 404, body: { cardId, error: { code: "card_not_found" } } };
    expect(await sandbox.call("GET", `/v1/cards/${cardId}`)).toMatchObject(unknown);

    await sandbox.putCards([card(cardId, null, { userReference: "usr_2" })]);
    expect((await sandbox.call("GET", `/v1/cards/${cardId}`)).body).toMatchObject({ userReference: "usr_2" });
    expect(await cardIds(sandbox, "userReference=usr_1")).toEqual([]);
  });
});

describe("GET /v1/cards", () => {
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
