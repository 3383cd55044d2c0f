import type { RouterOutputs } from "@cardbridge/trpc-client";
import { colleagues, platforms } from "./rows.ts";

type Outputs = RouterOutputs;
export type Pause = Outputs["pauses"]["list"]["pauses"][number];
export type Endpoint = Outputs["webhooks"]["list"]["endpoints"][number];
export type Delivery = Outputs["webhooks"]["searchDeliveries"]["deliveries"][number];
export type Entry = Outputs["audit"]["list"]["entries"][number];
export type ApiKey = Outputs["keys"]["list"]["keys"][number];

const minute = 60_000;
const day = 1_440 * minute;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
const [ada, ben, clarissa] = colleagues;
const [one, two, long] = platforms as [Platform, Platform, Platform];
type Platform = (typeof platforms)[number];
const id = (prefix: string, n: number) => `${prefix}_01m8${String(n).padStart(4, "0")}h2k4m6n8p0q2r4s6t8`;

/** What the fake service knows beside records: all is well, until a test changes it. */
export interface ServiceState {
  /** The platforms that a person created. */
  created: { platformId: string; name: string }[];
  pauses: Pause[];
  /** Whether acts that cannot be taken back need two persons. */
  fourEyes: boolean;
  breakers: Outputs["service"]["status"]["provider"]["breakers"];
  failing: Outputs["webhooks"]["endpointHealth"]["failing"];
  deliveries: Delivery[];
  endpoints: Endpoint[];
  keys: ApiKey[];
  persons: Outputs["persons"]["list"]["persons"];
  entries: Entry[];
  /** The problems that a verification finds. */
  problems: string[];
  /** How many batches a verification takes. */
  batches: number;
  restoreCheckedAt: string | null;
}

export const createServiceState = (): ServiceState => ({
  created: [],
  pauses: [],
  fourEyes: true,
  breakers: { cards: "closed", kyc: "closed" },
  failing: [],
  deliveries: createDeliveries(),
  endpoints: createEndpoints(),
  keys: createKeys(),
  persons: [ada, ben, clarissa].map((person, index) => ({
    ...person,
    roles: [(["compliance", "support", "administrator"] as const)[index] ?? "viewer"],
    firstSeenAt: ago((40 + index) * day),
    lastSeenAt: ago((index + 1) * 25 * minute),
    blockedAt: index === 1 ? ago(3 * day) : null,
  })),
  entries: createEntries(),
  problems: [],
  batches: 3,
  restoreCheckedAt: ago(6 * day),
});

export const providerPause = (state: Pause["state"] = "active"): Pause => ({
  pauseId: id("pause", 1),
  target: "provider",
  platformId: null,
  platformName: null,
  reason: "The provider announced maintenance until six",
  state,
  person: ben,
  pausedBy: `${ben.personId}/${id("key", 1)}`,
  pausedAt: ago(35 * minute),
  until: ago(-85 * minute),
  resumedBy: state === "active" ? null : `${ben.personId}/${id("key", 1)}`,
  resumedAt: state === "active" ? null : ago(minute),
});

export const platformPause = (): Pause => ({
  ...providerPause(),
  pauseId: id("pause", 2),
  target: "platform",
  platformId: long.platformId,
  platformName: long.name,
  reason: "Calls after a leaked key",
});

export const failingEndpoints = (): ServiceState["failing"] => [
  { ...failing(two), endpointId: id("whe", 2), enabled: true, failingSince: ago(190 * minute) },
  { ...failing(long), endpointId: id("whe", 3), enabled: false, failingSince: null },
];

const failing = ({ platformId, name }: Platform) => ({
  platformId,
  platformName: name,
  pending: 14,
  failed: 1_000,
});

function createEndpoints(): Endpoint[] {
  const endpoint: Endpoint = {
    endpointId: id("whe", 1),
    url: "https://hooks.demo-one.example/cardbridge",
    eventTypes: ["kyc.updated", "card.updated"],
    description: "Back office",
    enabled: true,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    previousSecretUntil: null,
    createdAt: ago(90 * day),
  };
  return [
    endpoint,
    {
      ...endpoint,
      endpointId: id("whe", 2),
      url: "https://events.demo-one.example/a/rather/long/path/that/receives/everything/of/the/cards/v2",
      eventTypes: ["card.updated"],
      description: null,
      failingSince: ago(190 * minute),
    },
    {
      ...endpoint,
      endpointId: id("whe", 3),
      url: "https://old.demo-one.example/hook",
      enabled: false,
      disabledReason: "gone",
      disabledAt: ago(4 * day),
    },
  ];
}

function createDeliveries(): Delivery[] {
  const answers = [
    { status: "delivered", attempts: 1, lastStatus: 204, lastReason: null },
    { status: "failed", attempts: 12, lastStatus: 503, lastReason: null },
    { status: "pending", attempts: 3, lastStatus: null, lastReason: "connection-refused" },
    { status: "delivered", attempts: 2, lastStatus: 200, lastReason: null },
    { status: "pending", attempts: 0, lastStatus: null, lastReason: null },
  ] as const;
  return Array.from({ length: 70 }, (_, index): Delivery => {
    const answer = answers[index % answers.length] ?? answers[0];
    const { platformId, name } = platforms[index % 3] ?? one;
    const card = index % 7 === 3;
    return {
      ...answer,
      deliveryId: id("whd", index),
      endpointId: id("whe", 1 + (index % 2)),
      webhookId: id("evt", index),
      type: card ? "card.updated" : "kyc.updated",
      kycRecordId: card ? null : id("kyc", index),
      sequence: card ? null : 1 + (index % 4),
      createdAt: ago((index + 1) * 7 * minute),
      dueAt: answer.status === "pending" ? ago(-2 * minute) : null,
      deliveredAt: answer.status === "delivered" ? ago(index * 7 * minute) : null,
      platformId,
      platformName: name,
    };
  });
}

function createKeys(): ApiKey[] {
  const scopes: ApiKey["scopes"] = ["cards:read", "kyc:write", "kyc:read", "files:write"];
  const key = (index: number, fields: Partial<ApiKey>): ApiKey => ({
    keyId: id("key", index),
    platformId: one.platformId,
    name: "backend",
    prefix: `cb_live_k${index}Yx`,
    scopes,
    state: "live",
    createdAt: ago((90 - index) * day),
    createdBy: "claim:ada",
    expiresAt: ago(-(20 + index * 60) * day),
    revokedAt: null,
    lastUsedAt: ago(index * 40 * minute),
    ...fields,
  });
  return [
    key(1, {}),
    key(2, {
      name: "reports",
      scopes: ["kyc:read"],
      expiresAt: null,
      lastUsedAt: ago(120 * day),
      createdBy: null,
    }),
    key(3, {
      platformId: long.platformId,
      name: "mobile application gateway, second region",
      createdBy: `${clarissa?.personId}/${id("key", 4)}`,
    }),
    key(4, { platformId: "internal", name: "console", scopes: ["ops.persons", "ops.records.read"] }),
    key(5, { state: "revoked", name: "old", revokedAt: ago(day), lastUsedAt: null }),
  ];
}

function createEntries(): Entry[] {
  const acts = [
    {
      operation: "records.submission",
      purpose: "review",
      outcome: "done",
      by: clarissa,
      subject: id("kyc", 3),
    },
    { operation: "records.resolve", purpose: null, outcome: "done", by: ada, subject: id("kyc", 4) },
    {
      operation: "kyc.submit",
      purpose: null,
      outcome: "KYC_ALREADY_SUBMITTED",
      by: null,
      subject: id("kyc", 5),
    },
    {
      operation: "users.show",
      purpose: null,
      outcome: "done",
      by: ben,
      subject: "usr_01m8abcdefghjkmnpqrstvwxyz",
    },
    { operation: "keys.create", purpose: null, outcome: "SCOPE_MISSING", by: ben, subject: id("key", 2) },
    {
      operation: "records.submission",
      purpose: "authority",
      outcome: "done",
      by: ada,
      subject: id("kyc", 6),
    },
  ] as const;
  return Array.from({ length: 120 }, (_, index): Entry => {
    const { by, ...act } = acts[index % acts.length] ?? acts[0];
    const { platformId } = platforms[index % 3] ?? one;
    const keyId = id("key", 1);
    return {
      ...act,
      id: String(184_467 - index),
      at: ago((index + 1) * 13 * minute),
      actor: by ? `${by.personId}/${keyId}` : index % 4 === 0 ? "claim:=cmd" : keyId,
      person: by?.personId ?? null,
      address: "192.0.2.1",
      requestId: `req_01m8${String(index).padStart(22, "0")}`,
      count: act.operation === "kyc.submit" && index % 4 === 2 ? 240 : null,
      platformId,
      by: by && { ...by },
    };
  });
}
