import { expect, it } from "vitest";
import { testClient } from "./support/test-client.ts";
import { json, problem } from "./support/test-fetch.ts";

const act = { memberId: "alice", act: "lock-card", cardId: "card_1" } as const;
const done = json({ act: "lock-card", cardId: "card_1" });

it("repeats a lost act with the same Idempotency-Key, and each call is an act of its own", async () => {
  const { client, requests } = testClient([new TypeError("lost"), problem(503, "SERVICE_UNAVAILABLE"), done]);
  await client.sandbox.act(act);
  await client.sandbox.act(act);
  const [first, second, third, other] = requests.map(({ headers }) => headers.get("idempotency-key"));
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect([second, third]).toEqual([first, first]);
  expect(other).not.toBe(first);
  expect(JSON.parse(String(requests[0]?.init.body))).toEqual(act);
});

it("takes the caller's key, and refuses an invalid one", async () => {
  const { client, requests } = testClient([done]);
  await client.sandbox.act(act, { idempotencyKey: "mine" });
  await expect(client.sandbox.act(act, { idempotencyKey: "a b" })).rejects.toThrow(TypeError);
  expect(requests.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["mine"]);
});
