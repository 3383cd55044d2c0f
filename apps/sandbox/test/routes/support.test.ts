import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scenarios } from "../../src/index.ts";
import { card } from "../support/card.ts";
import { cardIds, runSandbox } from "../support/sandbox.ts";

describe("GET /_scenarios", () => {
  test("returns all scenarios with unique ids", async () => {
    const sandbox = await runSandbox();
    const { body } = await sandbox.call("GET", "/_scenarios");
    expect(body.scenarios).toEqual(scenarios.map(({ id, description }) => ({ id, description })));
    expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length);
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
    const journal = () => readFile(join(sandbox.dataFolder, "journal.jsonl"), "utf8");
    const cards = [card("card_1", "2026-01-01T00:00:00Z"), card("card_2", null)];
    await sandbox.putCards(cards);
    const before = await journal();
    expect((await sandbox.putCards(cards)).body).toEqual({ stored: 2 });
    expect(await journal()).toBe(before);
  });

  test("rejects a list with an invalid card and stores none of its cards", async () => {
    const sandbox = await runSandbox();
    expect((await sandbox.putCards([card("card_1", null), { cardId: "card_2" }])).status).toBe(400);
    expect((await sandbox.list("userReference=usr_1")).status).toBe(404);
  });
});
