import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restSubmit } from "./support/call.ts";
import { newSubmission, startWorld } from "./support/world.ts";

/** The provider's own events, from the sandbox over HTTP; no worker asks here, so what is learned was told. */
let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

interface Read {
  status: string | null;
  history: { status: string | null; source: string }[];
}

async function read(kycRecordId: string): Promise<Read> {
  const { key, fetch } = world.caller();
  const response = await fetch(`/openapi/v1/users/kyc/${kycRecordId}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return (await response.json()) as Read;
}

describe("a decision that the provider tells", () => {
  it.concurrent.each([
    ["none", "APPROVED", [null, "PENDING_APPROVAL", "APPROVED"]],
    ["duplicate", "APPROVED", [null, "PENDING_APPROVAL", "APPROVED"]],
    ["reorder", "APPROVED", [null, "PENDING_APPROVAL", "APPROVED"]],
    ["revoked", "REJECTED", [null, "APPROVED", "REJECTED"]],
    ["timeout-after-effect", "APPROVED", [null, "PENDING_APPROVAL", "APPROVED"]],
  ])("with the tag %s ends in %s, each change once", async (tag, status, statuses) => {
    const { body } = await restSubmit(world.caller(), newSubmission(tag));
    const { kycRecordId } = body as { kycRecordId: string };
    for (let waited = 0; (await read(kycRecordId)).status !== status && waited < 600; waited += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const { history } = await read(kycRecordId);
    expect(history.map((entry) => entry.status)).toEqual(statuses);
    expect(history.at(-1)?.source).toBe("event");
  });

  it("is logged as an alarm when it reverses a final one", async () => {
    await expect.poll(() => world.lines.join(""), { timeout: 30_000 }).toContain("kyc_final_reversed");
  });
});

it.each([
  ["without a signature", {}, 401],
  [
    "with a wrong one",
    {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
      "webhook-signature": "v1,AAAA",
    },
    401,
  ],
])("an event %s is refused", async (_name, headers, status) => {
  const response = await fetch(`${world.url}/provider/events`, { method: "POST", headers, body: "{}" });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ code: "UNAUTHENTICATED" });
});
