import {
  type ApiKey,
  applyVerdict,
  type Card,
  type CardProvider,
  type CurrentPauses,
  defaultPolicies,
  type Environment,
  Failure,
  internalPlatformId,
  type KycRecord,
  type KycRecords,
  newRecord,
  normalizeEmail,
  type Person,
  type Policies,
  type ProviderReply,
  personHeader,
  platformHeader,
  platformScope,
  type Scope,
} from "@cardbridge/domain";
import { createEventReader } from "@cardbridge/provider";
import { createOperations, findPlatform, holderOf, type Operations, type Ports } from "@cardbridge/service";
import { fakePorts as emptyPorts } from "@cardbridge/service/testing";
import { demoKeys, generateApiKey, hashApiKey } from "../../src/admission/api-key.ts";
import { type Authenticate, createAuthenticate } from "../../src/admission/authenticate.ts";
import { createFairSemaphore } from "../../src/admission/fair-semaphore.ts";
import { createGates, type Gates } from "../../src/admission/gates.ts";
import type { Head } from "../../src/admission/head.ts";
import { createRateLimiter, type RateOf } from "../../src/admission/rate.ts";
import { sandboxEventsSecret } from "../../src/config/development-secrets.ts";
import type { Site } from "../../src/http/docs/site.ts";
import type { NodeRequest } from "../../src/http/middleware/node-request.ts";
import { createFileUrls } from "../../src/http/rest/file-urls.ts";
import { createApp } from "../../src/server/app.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { createAdmitPage } from "../../src/trpc/admit-page.ts";
import { createSubscriptions, type SubscriptionsOptions } from "../../src/trpc/subscriptions.ts";
import { generateKey } from "./generate-key.ts";
import { smallSite } from "./small-site.ts";

/** A card of the fake provider. */
export const card: Card = {
  cardId: "card_1",
  status: "active",
  memberId: null,
  cardAccountId: "acct_1",
  type: "virtual",
  network: "visa",
  last4: "4242",
  expiryMonth: 5,
  expiryYear: 2031,
  nameOnCard: "SOME ONE",
  currency: "USD",
  createdAt: "2026-01-31T12:00:00.000Z",
};

/** The events of every request, which tests do not list. */
const counted = new Set(["request", "operation_call"]);

/** In-memory ports with one user `member-1`, which store KYC records. */
export function fakePorts(provider: Partial<CardProvider> = {}) {
  const records = new Map<string, { body: string; record: KycRecord }>();
  const observed: string[] = [];
  const sent: unknown[] = [];
  let answer: ProviderReply = {
    outcome: "answered",
    subStatus: "approved",
    cardAccountId: "acct_1",
    revision: 1,
  };
  let generated = 0;
  const preview: KycRecords["preview"] = async (platformId, request) => {
    const { submission, decide, idempotencyKey, renews } = request;
    const latest = records.get(`${platformId}/${submission.memberId}`);
    const equal = latest?.body === JSON.stringify(submission) ? latest.record : undefined;
    const newKey = idempotencyKey !== undefined;
    const decision = latest
      ? decide({ latest: latest.record, equal, standing: undefined, newKey, renews })
      : "submit";
    if (latest && decision === "conflict") {
      throw new Failure("KYC_ALREADY_SUBMITTED", { kycRecordId: latest.record.kycRecordId });
    }
    return latest && decision === "replay" ? { kind: "replay", record: latest.record } : { kind: "new" };
  };
  const { ports: empty } = emptyPorts();
  const ports: Ports = {
    ...empty,
    ids: {
      externalUserId: () => "usr_1",
      kycRecordId: () => {
        generated += 1;
        return `kyc_${generated}`;
      },
      platformId: () => "plt_2",
      keyId: () => "key_2",
      fileId: () => "file_2",
      documentRequestId: () => "dreq_2",
      webhookEndpointId: () => "whe_2",
      holdId: () => "hold_2",
      personId: () => "per_new",
      noteId: () => "note_2",
      openingId: () => "open_1",
      proposalId: () => "prop_1",
      pauseId: () => "pause_1",
      blobName: () => "blob_2",
    },
    generateKey,
    fileUrls,
    observer: { observe: (what) => !counted.has(what) && observed.push(what) },
    cache: knownPlatforms((platformId) => platformId === "plt_1"),
    users: {
      find: async (_platform, who) =>
        (
          "memberId" in who
            ? who.memberId === "member-1"
            : normalizeEmail(who.email) === "someone@example.com"
        )
          ? { externalUserId: "usr_1" }
          : null,
      has: async (_platform, externalUserId) => externalUserId === "usr_1",
    },
    provider: {
      ...empty.provider,
      listCards: async () => ({ items: [card], total: 1 }),
      findCard: async (cardId) => (cardId === card.cardId ? { userReference: "usr_1", card } : null),
      submitKyc: async (order) => {
        sent.push(order);
        return answer;
      },
      ...provider,
    },
    kycRecords: {
      ...empty.kycRecords,
      preview,
      async createOrReplay(platformId, request) {
        const result = await preview(platformId, request);
        if (result.kind === "replay") return result;
        const { submission, externalUserId, kycRecordId } = request;
        const record = { ...newRecord, kycRecordId, externalUserId, createdAt: new Date(0) };
        records.set(`${platformId}/${submission.memberId}`, { body: JSON.stringify(submission), record });
        return {
          kind: "new",
          record,
          attempt: {
            ...{ record, submission, fingerprint: "", step: "send", notFound: 0 },
            sendBefore: Number.POSITIVE_INFINITY,
          },
        };
      },
      async storeVerdict(_platform, { kycRecordId }, verdict) {
        const entry = [...records.values()].find(({ record }) => record.kycRecordId === kycRecordId);
        if (!entry) throw new Error("no such record");
        const before = entry.record;
        entry.record = applyVerdict(before, verdict);
        return { before, record: entry.record };
      },
      async current(platformId, who) {
        const found = "memberId" in who ? records.get(`${platformId}/${who.memberId}`) : undefined;
        return found ? { ...found.record, requests: [], renewal: null } : null;
      },
      async history(platformId, kycRecordId) {
        const found = [...records].find(
          ([key, { record }]) => key.startsWith(`${platformId}/`) && record.kycRecordId === kycRecordId,
        );
        const initial = {
          resolution: "unresolved",
          status: null,
          subStatus: null,
          explanation: null,
          source: "submission",
          observedAt: "2026-01-31T12:00:00.000Z",
        } as const;
        if (!found) return null;
        const [key, { record }] = found;
        const reading = { ...record, requests: [] };
        return { record: reading, memberId: key.slice(platformId.length + 1), history: [initial] };
      },
    },
  };
  return {
    ports,
    observed,
    sent,
    answerWith(next: ProviderReply) {
      answer = next;
    },
  };
}

export const fileUrls = createFileUrls("http://127.0.0.1:3000", Buffer.alloc(32, 1));

/** The path of a new upload URL of the platform `plt_1`. */
export function uploadPath(): string {
  const { url } = fileUrls.uploadUrl({ platformId: "plt_1", actor: "key_0", purpose: "selfie" });
  return new URL(url).pathname;
}

/** A cache of platforms: it holds those that `isKnown` accepts, and looks up everything else. */
export const knownPlatforms = (isKnown: (platformId: string) => boolean): Ports["cache"] => ({
  find: <T extends object>(name: string, lookUp: (limit: () => void) => Promise<T | null>) => {
    const platformId = /^platform (.*)$/.exec(name)?.[1];
    const isHeld = platformId !== undefined && isKnown(platformId);
    return isHeld ? ({ platformId } as unknown as T) : lookUp(() => {});
  },
});

export const fullKey = generateApiKey("test");

/** Creates an app with fake ports, a key with all scopes, and the keys in `options`. */
export function fakeApp(
  options: {
    ports?: Ports;
    environment?: Environment;
    policies?: Partial<Policies>;
    /** Replaces operations. */
    operations?: (operations: Operations) => Operations;
    keys?: Record<string, readonly Scope[]>;
    /** The platforms of keys. The default is plt_1. */
    platforms?: Record<string, string>;
    /** The person of a request, for keys of internal apps. May throw. */
    personOf?: () => Person | undefined;
    allowDemoKeys?: boolean;
    rateOf?: RateOf;
    pauses?: Pick<CurrentPauses, "platform">;
    now?: () => number;
    subscriptions?: Partial<SubscriptionsOptions>;
    /** Replaces the wait of a subscription's page. */
    waitForPage?: Parameters<typeof createAdmitPage>[0]["wait"];
    /** The maximum time of an upload. Tests never wait for the default. */
    uploadMs?: number;
    /** The maximum size of a file. */
    uploadBytes?: number;
    /** The documentation. The default has one page. */
    site?: Site;
    /** The slots of active operations. No operation waits for a slot. */
    operationsAtOnce?: number;
    /** The slots of JSON bodies that are being read. */
    bodiesAtOnce?: number;
  } = {},
) {
  const allScopes = platformScope.options;
  const scopesOf = { [fullKey]: allScopes, [demoKeys.first]: allScopes, ...options.keys };
  const platformOf = (key: string) => (key.startsWith("cb_int_") ? internalPlatformId : "plt_1");
  const keys = new Map<string, ApiKey>(
    Object.entries(scopesOf).map(([key, scopes], index) => [
      hashApiKey(key).toString("hex"),
      { keyId: `key_${index}`, platformId: options.platforms?.[key] ?? platformOf(key), scopes },
    ]),
  );
  const ports = options.ports ?? fakePorts().ports;
  const environment = options.environment ?? "test";
  const lines: string[] = [];
  const lookUps: string[] = [];
  const refusedByHead: string[] = [];
  const pauses = options.pauses ?? { platform: () => null };
  const rateOf = options.rateOf ?? (() => undefined);
  const rateLimiter = createRateLimiter({ rateOf, now: options.now });
  const slots = {
    operations: createFairSemaphore({ capacity: options.operationsAtOnce ?? 512 }),
    bodies: createFairSemaphore({ capacity: options.bodiesAtOnce ?? 512 }),
    uploads: createFairSemaphore({ capacity: 2, maxWaitMs: 30_000 }),
    "event-bodies": createFairSemaphore({ capacity: 64 }),
    "provider-requests": createFairSemaphore({ capacity: 8 }),
    "look-ups": createFairSemaphore({ capacity: 512 }),
    searches: createFairSemaphore({ capacity: 2 }),
  };
  const subscriptions = createSubscriptions({
    slots: createFairSemaphore({ capacity: 8 }),
    admitPage: createAdmitPage({ rateLimiter, operations: slots.operations, wait: options.waitForPage }),
    ...options.subscriptions,
  });
  const authenticateKey = createAuthenticate({
    async findApiKey(hash) {
      lookUps.push(hash.toString("hex"));
      return keys.get(hash.toString("hex")) ?? null;
    },
    findPlatform: (platformId) => findPlatform(ports, platformId),
    isLiveKey: async (keyId) => keyId === "key_0",
    urls: fileUrls,
    allowDemoKeys: options.allowDemoKeys ?? false,
    environment,
  });
  const authenticate: Authenticate = async (head) => ({
    ...(await authenticateKey(head)),
    person: options.personOf?.(),
  });
  const operations = createOperations({ ...defaultPolicies, ...options.policies });
  const app = createApp({
    operations: options.operations ? options.operations(operations) : operations,
    ports,
    rateLimiter,
    slots,
    pauses,
    subscriptions,
    reauthenticate: authenticate,
    eventReader: createEventReader({ secrets: [sandboxEventsSecret] }),
    health: { environment, state: async () => ({ reasons: [], warnings: [] }) },
    environment,
    publicUrl: "http://127.0.0.1:3000",
    site: options.site ?? smallSite,
    log: createLog("info", { write: (line) => void lines.push(line) }),
    uploads: {
      maxBytes: options.uploadBytes ?? 100_000,
      maxMs: options.uploadMs ?? 600_000,
    },
    providerPorts: ports,
    urls: fileUrls,
  });
  const gates = createGates({
    operations: createOperations(defaultPolicies),
    authenticate,
    rateLimiter,
    slots,
    pauses,
    refusals: { byHead: (caller, reason) => void refusedByHead.push(`${reason} ${holderOf(caller)}`) },
  });
  return {
    app: behindGates(app, gates),
    gates,
    lines,
    lookUps,
    refusedByHead,
    subscriptions,
    operationSlots: slots.operations,
    searchSlots: slots.searches,
    revoke: (key: string) => keys.delete(hashApiKey(key).toString("hex")),
  };
}

/** The app with its gates, also without a server. A server with gates passes their admission to the app. */
function behindGates({ fetch: serve, routes }: ReturnType<typeof createApp>, gates: Gates) {
  async function fetch(request: Request, node?: NodeRequest): Promise<Response> {
    const admission = node?.admission ?? (await gates(headOf(request)));
    try {
      return await serve(request, { ...node, admission });
    } finally {
      if (!node?.admission) (admission?.operation ?? admission?.body)?.release();
    }
  }
  return {
    fetch,
    routes,
    request: (path: string | URL, init?: RequestInit) =>
      fetch(new Request(new URL(path, "http://localhost"), init)),
  };
}

function headOf({ method, url, headers }: Request): Head {
  const { pathname: path, search } = new URL(url);
  return {
    method,
    path,
    target: path + search,
    address: null,
    authorization: headers.get("authorization") ?? undefined,
    platform: headers.get(platformHeader) ?? undefined,
    person: headers.get(personHeader) ?? undefined,
  };
}
