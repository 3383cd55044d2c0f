import { randomUUID } from "node:crypto";
import type { AttemptSlots, DueDelivery, RecordedAttempt, WebhookEventType } from "@cardbridge/domain";
import { expect } from "vitest";
import { webhookDeliveriesRepository, webhookEndpointsRepository } from "../../src/database.ts";
import { answered, keys, makeWorld, someone } from "./world.ts";

export const delivered: RecordedAttempt = {
  outcome: { kind: "answered", status: 200, excerpt: "ok" },
  decision: { kind: "delivered" },
  milliseconds: 12,
};

/** A failed attempt with a retry, or with another decision. */
export const failed = (decision: RecordedAttempt["decision"] = { kind: "retry", delayMs: 60_000 }) => ({
  outcome: { kind: "answered", status: 500, excerpt: "no" } as const,
  decision,
  milliseconds: 12,
});

/** Enough slots for every due delivery. */
export const anySlots: AttemptSlots = {
  running: [],
  free: 100_000,
  reserved: 0,
  perEndpoint: 1_000,
  perCall: 1_000,
};

let generated = 0;
/** Returns a new endpoint id. */
export function newEndpointId(): string {
  generated += 1;
  return `whe_${String(generated).padStart(26, "0")}`;
}

/** Creates a database with endpoints, deliveries and records for tests of webhooks. */
export async function makeWebhookWorld(options: Parameters<typeof makeWorld>[0] = {}) {
  const world = await makeWorld(options);
  const endpoints = webhookEndpointsRepository(world.database, keys);
  const deliveries = webhookDeliveriesRepository(world.database, { keys, environment: "test" });

  /** Creates an endpoint and returns its id. */
  async function endpoint(platformId: string, eventTypes: WebhookEventType[] = ["kyc.updated"]) {
    const endpointId = newEndpointId();
    const url = `https://receiver.example.com/${endpointId}`;
    const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
    await endpoints.create(platformId, { endpointId, url, eventTypes, description: null, secret });
    return endpointId;
  }

  /** Submits a record of a new user and changes its state the given number of times. Returns the record's id. */
  async function record(platformId: string, changes = 0) {
    const { record } = await world.submitted(someone(randomUUID()), platformId);
    for (let change = 1; change <= changes; change += 1) {
      await world.kyc.storeVerdict(platformId, record, answered("pending_approval", null, change));
    }
    return record.kycRecordId;
  }

  /** Leases every due delivery, or those for which there are slots. */
  const lease = (slots: Partial<AttemptSlots> = {}) => deliveries.leaseDue({ ...anySlots, ...slots });

  return {
    ...world,
    endpoints,
    deliveries,
    endpoint,
    record,
    lease,
    /** Creates a platform with an endpoint and events of the given number of records. */
    async endpointWith(records: number) {
      const platformId = await world.platform();
      const endpointId = await endpoint(platformId);
      const kycRecordIds: string[] = [];
      for (let number = 0; number < records; number += 1) kycRecordIds.push(await record(platformId));
      return {
        platformId,
        endpointId,
        kycRecordIds,
        /** The deliveries of its records, by record and sequence. */
        all: async () =>
          (await Promise.all(kycRecordIds.map((id) => endpoints.ofRecord(platformId, id)))).flat(),
        show: async () => (await endpoints.find(platformId, endpointId)) ?? expect.unreachable(),
        lease: async (slots?: Partial<AttemptSlots>) =>
          (await lease(slots)).filter((due) => due.endpointId === endpointId),
        async leaseOne() {
          const due = await lease({ perEndpoint: 1 });
          return due.find((one) => one.endpointId === endpointId) ?? expect.unreachable();
        },
      };
    },
    /** Leases and records deliveries until none is due. Returns the leases in order. */
    async deliverAll(attempt: RecordedAttempt = delivered): Promise<DueDelivery[]> {
      const all: DueDelivery[] = [];
      for (;;) {
        const due = await deliveries.leaseDue(anySlots);
        if (due.length === 0) return all;
        for (const one of due) await deliveries.record(one, attempt);
        all.push(...due);
      }
    },
    /** Expires all leases. */
    expireLeases: () =>
      world.admin(
        "update webhook_deliveries set lease_until = now() - interval '1 second', due_at = now() - interval '1 second' where lease_until is not null",
      ),
    /** Makes every pending delivery due. */
    makeDue: () =>
      world.admin(
        "update webhook_deliveries set due_at = now() where status = 'pending' and lease_until is null",
      ),
  };
}
