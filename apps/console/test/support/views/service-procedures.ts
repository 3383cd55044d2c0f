import { Refusal } from "./refusal.ts";
import { platforms } from "./rows.ts";
import { type Delivery, type Pause, providerPause, type ServiceState } from "./service.ts";

type Input = Record<string, unknown>;

/** The procedures beside records and users, over the state's service. */
export function createServiceProcedures(service: ServiceState): Record<string, (input: Input) => unknown> {
  const at = () => new Date().toISOString();
  const endpointOf = ({ endpointId }: Input) => {
    const found = service.endpoints.find((one) => one.endpointId === endpointId);
    if (!found) throw new Refusal(404, "WEBHOOK_ENDPOINT_NOT_FOUND", "There is no such webhook endpoint.");
    return found;
  };
  const deliveryOf = ({ deliveryId }: Input) => {
    const found = service.deliveries.find((one) => one.deliveryId === deliveryId);
    if (!found) throw new Refusal(404, "WEBHOOK_DELIVERY_NOT_FOUND", "There is no such delivery.");
    return found;
  };
  const keyOf = ({ keyId }: Input) => {
    const found = service.keys.find((one) => one.keyId === keyId);
    if (!found) throw new Refusal(404, "KEY_NOT_FOUND", "There is no such key.");
    return found;
  };
  const pause = (input: Input, fields: Partial<Pause>): Pause => {
    const begun = { ...providerPause(), ...fields, reason: String(input.reason), until: String(input.until) };
    service.pauses = [begun, ...service.pauses];
    return begun;
  };
  const secret = "whsec_C2FVsBQIhrscChlQIMV0b8lHAsDFakeSecret";
  const apiKey = "cb_live_FakeKeyThatIsShownOnce00000000000000zzzz";

  return {
    "service.status": () => ({
      environment: "live",
      version: "0.3.0",
      commit: "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432",
      fourEyes: service.fourEyes,
      provider: {
        name: "airwallex",
        breakers: service.breakers,
        capabilities: {
          files: "The service sends files. Up to 5000000 bytes: image/jpeg, image/png.",
          fields: [
            { field: "nationality", limits: "Only one nationality is sent." },
            { field: "occupation", limits: "The provider has no such field." },
            { field: "contactAddress", limits: "At most 200 characters." },
          ],
        },
      },
      limits: [
        { name: "RATE_LIMIT_READS", value: "100/s" },
        { name: "RATE_LIMIT_WRITES", value: "20/s" },
        { name: "HOLD_AFTER_SECONDS", value: "14400" },
      ],
      restoreCheckedAt: service.restoreCheckedAt,
    }),
    "processes.list": () => ({
      processes: ["api", "api", "worker"].map((role, index) => ({
        processId: `prc_01m8${index}`,
        role,
        version: index === 1 ? "0.2.9" : "0.3.0",
        commit: "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432",
        host: `cardbridge-${role}-${index}.eu-west-1.internal`,
        startedAt: new Date(Date.now() - 8_000_000).toISOString(),
        seenAt: new Date(Date.now() - (index === 1 ? 400_000 : 8_000)).toISOString(),
        live: index !== 1,
      })),
      more: false,
    }),
    "encryptionKeys.status": () => ({
      versions: [
        {
          version: 2,
          users: 4_120,
          files: 3,
          webhookEndpoints: 7,
          persons: 12,
          inRing: true,
          current: true,
          removable: false,
        },
        {
          version: 1,
          users: 0,
          files: 0,
          webhookEndpoints: 0,
          persons: 0,
          inRing: true,
          current: false,
          removable: true,
        },
      ],
    }),
    "pauses.list": ({ active }) => ({
      pauses: service.pauses.filter(({ state }) => !active || state !== "ended"),
    }),
    "pauses.pauseProvider": (input) => pause(input, {}),
    "pauses.pausePlatform": (input) => {
      const platform = platforms.find(({ platformId }) => platformId === input.platformId);
      return pause(input, {
        pauseId: "pause_platform",
        target: "platform",
        platformId: platform?.platformId ?? null,
        platformName: platform?.name ?? null,
      });
    },
    "pauses.resume": ({ pauseId }) => {
      service.pauses = service.pauses.map((one) =>
        one.pauseId === pauseId ? { ...one, state: "ended", resumedAt: at() } : one,
      );
      return service.pauses.find((one) => one.pauseId === pauseId);
    },
    "platforms.list": () => ({
      platforms: [...platforms, ...service.created].map((platform, index) => ({
        ...platform,
        createdAt: new Date(Date.now() - (200 - index * 60) * 86_400_000).toISOString(),
        storedFiles: index * 1_240,
        storedBytes: index * 96_400_000,
      })),
      more: false,
    }),
    "platforms.create": ({ name }) => {
      service.created.push({ platformId: "plt_new", name: String(name) });
      return { platformId: "plt_new", name, createdAt: at() };
    },
    "platforms.rename": ({ platformId, name }) => ({ platformId, name, createdAt: at() }),
    "keys.list": ({ platformId, state, createdBy, unusedDays }) => ({
      keys: service.keys.filter(
        (key) =>
          (platformId === undefined || key.platformId === platformId) &&
          (state === undefined || key.state === state) &&
          (createdBy === undefined || key.createdBy?.startsWith(`${createdBy}/`)) &&
          (unusedDays === undefined ||
            Date.parse(key.lastUsedAt ?? "1970-01-01") < Date.now() - 90 * 86_400_000),
      ),
      more: false,
    }),
    "keys.create": (input) => ({ ...service.keys[0], ...input, keyId: "key_new", key: apiKey }),
    "keys.rotate": (input) => ({
      ...keyOf(input),
      keyId: "key_successor",
      key: apiKey,
      predecessor: { ...keyOf(input), expiresAt: at() },
    }),
    "keys.revoke": (input) => Object.assign(keyOf(input), { state: "revoked", revokedAt: at() }),
    "persons.list": () => ({ persons: service.persons, more: false }),
    "persons.block": ({ personId, blocked }) => {
      service.persons = service.persons.map((person) =>
        person.personId === personId ? { ...person, blockedAt: blocked ? at() : null } : person,
      );
      return service.persons.find((person) => person.personId === personId);
    },
    "webhooks.endpointHealth": () => ({ failing: service.failing, endpoints: 7 }),
    "webhooks.list": ({ platformId }) => ({
      endpoints: platformId === platforms[1]?.platformId ? [] : service.endpoints,
    }),
    "webhooks.create": (input) => ({ ...service.endpoints[0], ...input, endpointId: "whe_new", secret }),
    "webhooks.update": (input) => Object.assign(endpointOf(input), input, { disabledReason: "requested" }),
    "webhooks.delete": (input) => {
      const { endpointId } = endpointOf(input);
      service.endpoints = service.endpoints.filter((one) => one.endpointId !== endpointId);
      return { endpointId };
    },
    "webhooks.rotateSecret": (input) => ({ ...endpointOf(input), previousSecretUntil: at(), secret }),
    "webhooks.test": (input) => ({
      ...service.deliveries[2],
      endpointId: endpointOf(input).endpointId,
      type: "webhook.test",
    }),
    "webhooks.searchDeliveries": (input) => {
      const from = Number(input.cursor ?? 0);
      const found = service.deliveries.filter(
        ({ status, type, platformId, kycRecordId }) =>
          (input.status === undefined || status === input.status) &&
          (input.type === undefined || type === input.type) &&
          (input.kycRecordId === undefined || kycRecordId === input.kycRecordId) &&
          (input.platformIds === undefined || (input.platformIds as string[]).includes(platformId)),
      );
      const next = from + 50 < found.length ? String(from + 50) : null;
      return { deliveries: found.slice(from, from + 50), nextCursor: next, narrow: false };
    },
    "webhooks.delivery": (input) => ({ ...deliveryOf(input), history: historyOf(deliveryOf(input)) }),
    "webhooks.redeliver": (input) => Object.assign(deliveryOf(input), { status: "pending", dueAt: at() }),
    "webhooks.redeliverMany": ({ preview, limit }) => {
      const failed = service.deliveries.filter(({ status }) => status === "failed");
      const sent = preview ? [] : failed.slice(0, Math.min(Number(limit), 5));
      for (const delivery of sent) delivery.status = "pending";
      return { matching: failed.length, redelivered: sent.length, more: sent.length < failed.length };
    },
    "audit.list": (input) => {
      const from = Number(input.cursor ?? 0);
      const limit = Number(input.limit ?? 50);
      const found = service.entries.filter(
        ({ operation, outcome, person, subject, platformId }) =>
          (input.operation === undefined || operation === input.operation) &&
          (input.outcome === undefined || outcome === input.outcome) &&
          (input.personId === undefined || person === input.personId) &&
          (input.subject === undefined || subject === input.subject) &&
          (input.platformIds === undefined || (input.platformIds as string[]).includes(platformId)),
      );
      return {
        entries: found.slice(from, from + limit),
        nextCursor: from + limit < found.length ? String(from + limit) : null,
        narrow: false,
        reachesTo: found[Math.min(from + limit, found.length) - 1]?.at ?? null,
        since: new Date(Date.UTC(2026, 0, 1)).toISOString(),
      };
    },
    "audit.verify": ({ after }) => {
      const number = Number(after) + 40;
      const isLast = number >= service.batches * 40;
      return {
        checkpoints: 40,
        entries: 12_480,
        anchor: null,
        last: { number, hash: "5a".repeat(32) },
        problems: isLast ? service.problems : [],
        next: isLast ? null : number,
        pending: isLast ? 7 : null,
      };
    },
    "audit.caseFile": ({ kycRecordId }) => ({
      format: "cardbridge-case-file/1",
      createdAt: at(),
      record: { kycRecordId },
      attempts: [],
      evidenceHash: null,
      fingerprint: null,
      files: [],
      proposals: [],
      audit: {
        platformId: platforms[0]?.platformId,
        entries: [0, 1, null].map((checkpoint) => ({ checkpoint })),
        checkpoints: [{ number: 1, root: "5a".repeat(32) }],
        since: null,
      },
    }),
  };
}

/** The names of all writes among them. */
export const serviceWrites = [
  "pauses.pauseProvider",
  "pauses.pausePlatform",
  "pauses.resume",
  "platforms.create",
  "platforms.rename",
  "keys.create",
  "keys.rotate",
  "keys.revoke",
  "persons.block",
  "webhooks.create",
  "webhooks.update",
  "webhooks.delete",
  "webhooks.rotateSecret",
  "webhooks.test",
  "webhooks.redeliver",
  "webhooks.redeliverMany",
  "records.requeueMany",
];

const historyOf = ({ attempts, lastStatus, lastReason }: Delivery) =>
  Array.from({ length: Math.min(attempts, 20) }, (_, index) => ({
    attempt: index + 1,
    startedAt: new Date(Date.now() - (attempts - index) * 600_000).toISOString(),
    milliseconds: 340 + index * 1_000,
    status: lastStatus,
    reason: lastReason,
    excerpt:
      lastStatus === 503
        ? '{"error":"upstream is not available","retry":true}'
        : lastStatus === null
          ? null
          : "",
  }));
