import { randomUUID } from "node:crypto";
import {
  type AttemptSlots,
  type DueDelivery,
  defaultPolicies,
  Failure,
  platformScope,
  type RecordedAttempt,
  type subscribedEventTypes,
  type WebhookDelivery,
} from "@cardbridge/domain";
import { expect } from "vitest";
import { webhookDeliveriesRepository } from "../../src/database.ts";
import { createOperations, type Ports } from "../../src/index.ts";
import { deliveriesOfRecord } from "../../src/webhooks/select-deliveries.ts";
import { callOf } from "./calls.ts";
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

const { webhooks } = createOperations(defaultPolicies);

type SubscribedType = (typeof subscribedEventTypes)[number];

interface NewEndpoint {
  endpointId: string;
  url: string;
  eventTypes: readonly SubscribedType[];
  description: string | null;
  secret: string;
}

/** The operations on a platform's endpoints and deliveries, for its own key; null where there is none. */
export function endpointsOf(ports: Ports) {
  const by = (platformId: string) => callOf("platform", { platformId, scopes: platformScope.options });
  return {
    async create(platformId: string, { endpointId, secret, eventTypes, ...given }: NewEndpoint) {
      const ids = { ...ports.ids, webhookEndpointId: () => endpointId };
      const own = { ...ports, ids, generateWebhookSecret: () => secret };
      const input = { ...given, eventTypes: [...eventTypes] };
      const { data } = await webhooks.create.execute(own, by(platformId), input);
      const { secret: _secret, ...created } = data;
      return created;
    },
    list: async (platformId: string) =>
      (await webhooks.list.execute(ports, by(platformId), {})).data.endpoints,
    find: (platformId: string, endpointId: string) =>
      orNull(webhooks.get.execute(ports, by(platformId), { endpointId })),
    update: (platformId: string, endpointId: string, change: object) =>
      orNull(webhooks.update.execute(ports, by(platformId), { endpointId, ...change })),
    delete: async (platformId: string, endpointId: string) =>
      (await orNull(webhooks.delete.execute(ports, by(platformId), { endpointId }))) !== null,
    async rotateSecret(platformId: string, endpointId: string, secret: string, overlapHours: number) {
      const own = { ...ports, generateWebhookSecret: () => secret };
      return orNull(webhooks.rotateSecret.execute(own, by(platformId), { endpointId, overlapHours }));
    },
    test: (platformId: string, endpointId: string) =>
      orNull(webhooks.test.execute(ports, by(platformId), { endpointId })),
    async deliveries(platformId: string, { before, limit, ...filter }: DeliveriesFilter) {
      const input = { ...filter, cursor: before, pageSize: limit };
      return (await orNull(webhooks.deliveries.execute(ports, by(platformId), input)))?.items ?? null;
    },
    delivery: (platformId: string, endpointId: string, deliveryId: string) =>
      orNull(webhooks.delivery.execute(ports, by(platformId), { endpointId, deliveryId })),
    redeliver: (platformId: string, endpointId: string, deliveryId: string) =>
      orNull(webhooks.redeliver.execute(ports, by(platformId), { endpointId, deliveryId })),
    redeliverFailed: (platformId: string, endpointId: string, since: Date) =>
      orNull(
        webhooks.redeliverFailed.execute(ports, by(platformId), { endpointId, since: since.toISOString() }),
      ),
    ofRecord: (platformId: string, kycRecordId: string) => deliveriesOfRecord(ports, platformId, kycRecordId),
  };
}

interface DeliveriesFilter {
  endpointId: string;
  status?: WebhookDelivery["status"] | undefined;
  /** Lists only deliveries that are older than this one. */
  before?: string | undefined;
  limit: number;
}

function orNull<T>(called: Promise<{ data: T }>): Promise<T | null> {
  return called.then(
    ({ data }) => data,
    (error: unknown) => {
      if (error instanceof Failure && error.code.endsWith("_NOT_FOUND")) return null;
      throw error;
    },
  );
}

/** Creates a database with endpoints, deliveries and records for tests of webhooks. */
export async function makeWebhookWorld(options: Parameters<typeof makeWorld>[0] = {}) {
  const world = await makeWorld(options);
  const endpoints = endpointsOf(world.ports);
  const deliveries = webhookDeliveriesRepository(world.database, { keys, environment: "test" });

  /** Creates an endpoint and returns its id. */
  async function endpoint(platformId: string, eventTypes: SubscribedType[] = ["kyc.updated"]) {
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
