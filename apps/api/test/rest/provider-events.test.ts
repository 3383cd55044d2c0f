import { openDatabase, webhookDeliveriesRepository } from "@cardbridge/service/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encryptionKeys } from "../../src/boot/options.ts";
import { readEnv } from "../../src/config/env.ts";
import { signedHeaders } from "../deep/faults/clients/provider-event.ts";
import { createEndpoint } from "../deep/faults/cluster/webhook-endpoint.ts";
import { restSubmit } from "../support/call.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** Provider events from the sandbox over HTTP. No worker runs, so all updates come from events. */
let service: Awaited<ReturnType<typeof startTestService>>;
const clock = createManualClock();
beforeAll(async () => {
  // A short timeout for the submission without a response.
  service = await startTestService({ sandboxClock: clock, env: { PROVIDER_KYC_TIMEOUT_MS: "2000" } });
});
afterAll(() => service.stop());

interface Read {
  status: string | null;
  history: { status: string | null; source: string }[];
}

async function read(kycRecordId: string): Promise<Read> {
  const { key, fetch } = service.caller();
  const response = await fetch(`/openapi/v1/users/kyc/${kycRecordId}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return (await response.json()) as Read;
}

describe("a decision in an event", () => {
  const cases = [
    ["none", "APPROVED", ["PENDING", "PENDING_APPROVAL", "APPROVED"]],
    ["duplicate", "APPROVED", ["PENDING", "PENDING_APPROVAL", "APPROVED"]],
    ["reorder", "APPROVED", ["PENDING", "PENDING_APPROVAL", "APPROVED"]],
    ["revoked", "REJECTED", ["PENDING", "APPROVED", "REJECTED"]],
    ["timeout-after-effect", "APPROVED", ["PENDING", "PENDING_APPROVAL", "APPROVED"]],
  ] as const;
  const records = new Map<string, string>();
  const statuses = () => Promise.all(cases.map(async ([tag]) => (await read(records.get(tag) ?? "")).status));

  it("is stored before the next decision", async () => {
    const submit = async (tag: string) => {
      const { body } = await restSubmit(service.caller(), newSubmission(tag));
      records.set(tag, (body as { kycRecordId: string }).kycRecordId);
    };
    await Promise.all(cases.map(([tag]) => submit(tag)));
    await expect.poll(statuses).toEqual(cases.map(([, , [, first]]) => first));
    const move = () => {
      clock.advance(250);
      return statuses();
    };
    await expect.poll(move).toEqual(cases.map(([, last]) => last));
  });

  it.each(cases)("with the tag %s ends in %s, with each change stored once", async (tag, _last, expected) => {
    const { history } = await read(records.get(tag) ?? "");
    expect(history.map((entry) => entry.status)).toEqual(expected);
    expect(history.at(-1)?.source).toBe("event");
  });

  it("is logged as a warning if it reverses a final decision", async () => {
    await expect.poll(() => service.lines.join("")).toContain("kyc_final_reversed");
  });
});

it("an event with a wrong signature is refused", async () => {
  const headers = { ...signedHeaders("{}"), "webhook-signature": "v1,AAAA" };
  const response = await fetch(`${service.url}/provider/events`, { method: "POST", headers, body: "{}" });
  expect([response.status, await response.json()]).toMatchObject([401, { code: "UNAUTHENTICATED" }]);
});

describe("an event about a card", () => {
  const send = async (userReference: string) => {
    const data = { cardId: "card_1", userReference, status: "locked", last4: "4242" };
    const body = JSON.stringify({ type: "card.updated", data });
    const init = { method: "POST", headers: signedHeaders(body), body };
    return (await fetch(`${service.url}/provider/events`, init)).status;
  };

  it("is forwarded to the endpoints of its user's platform", async () => {
    const { body } = await restSubmit(service.caller(), newSubmission());
    const { externalUserId } = body as { externalUserId: string };
    const open = () => openDatabase({ url: service.serviceUrl, onError: () => {} });
    await createEndpoint(open(), "plt_demo_one", {
      url: "https://receiver.example.com/",
      secret: "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      eventTypes: ["card.updated"],
    });
    const database = open();
    const keys = encryptionKeys(readEnv({}));
    const deliveries = webhookDeliveriesRepository(database, { keys, environment: "test" });
    expect(await send(externalUserId)).toBe(204);
    const slots = { running: [], free: 2, reserved: 0, perEndpoint: 1, perCall: 1 };
    const [due] = await deliveries.leaseDue(slots);
    const loaded = due && (await deliveries.load(due));
    await database.close();
    const data = { cardId: "card_1", externalUserId, status: "locked" };
    expect(loaded?.payload).toMatchObject({ type: "card.updated", data });
  });

  it("about an unknown user gets 404", async () => {
    expect(await send("usr_nobody")).toBe(404);
  });
});
