import { describe, expect, test } from "vitest";
import { card } from "../support/card.ts";
import { cardIds, runSandbox } from "../support/sandbox.ts";
import { submission } from "../support/submission.ts";

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
  });

  test("returns an issued card after its approval, and a replaced card as stored", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission("approved"));
    const { items } = (await sandbox.list("userReference=usr_1")).body;
    const [{ cardId }] = items;
    expect((await sandbox.call("GET", `/v1/cards/${cardId}`)).body).toEqual(items[0]);

    await sandbox.putCards([card(cardId, null, { userReference: "usr_2" })]);
    expect((await sandbox.call("GET", `/v1/cards/${cardId}`)).body).toMatchObject({ userReference: "usr_2" });
    expect(await cardIds(sandbox, "userReference=usr_1")).toEqual([]);
  });

  test("has no card before the approval", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission());
    sandbox.clock.now += 5_000;
    const [cardId = ""] = await cardIds(sandbox, "userReference=usr_1");
    sandbox.clock.now -= 5_000;
    expect(await sandbox.call("GET", `/v1/cards/${cardId}`)).toMatchObject(unknown(cardId));
  });

  test("requires a signature", async () => {
    const sandbox = await runSandbox();
    expect((await fetch(`${sandbox.url}/v1/cards/card_1`)).status).toBe(401);
  });
});
