import { afterAll, beforeAll, expect, expectTypeOf, it } from "vitest";
import { demoKeys } from "../src/auth/demo-keys.ts";
import { createClient, type Problem, problemOf } from "../src/client.ts";
import { newSubmission, startWorld } from "./support/world.ts";

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

it("lists and submits with types, from one import", async () => {
  const client = createClient({ url: `${world.url}/`, apiKey: demoKeys.first });
  const page = await client.cards.list.query({ memberId: "alice" });
  expectTypeOf(page.items[0]?.last4).toEqualTypeOf<string | null | undefined>();
  expect(page.total).toBe(4);

  const result = await client.kyc.submit.mutate({ ...newSubmission(), gender: "female" });
  expectTypeOf(result.status).toEqualTypeOf<
    "PENDING" | "PENDING_APPROVAL" | "APPROVED" | "REJECTED" | null
  >();
  expect(result).toMatchObject({ success: true, status: "APPROVED" });
});

it("gives an error's problem with its type", async () => {
  const client = createClient({ url: world.url, apiKey: demoKeys.first });
  const error = await client.cards.list.query({}).catch((reason: unknown) => reason);
  const problem = problemOf(error);
  expectTypeOf(problem).toEqualTypeOf<Problem | undefined>();
  expect(problem).toMatchObject({ code: "INVALID_INPUT", errors: [{ rule: "exactly-one-identifier" }] });

  const refused = createClient({ url: world.url, apiKey: "cb_test_wrong" });
  expect(
    problemOf(await refused.cards.list.query({ memberId: "a" }).catch((reason: unknown) => reason)),
  ).toMatchObject({
    code: "UNAUTHENTICATED",
  });
  expect(problemOf(new Error("elsewhere"))).toBeUndefined();
});
