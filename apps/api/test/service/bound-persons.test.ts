import { role, type Scope, scope } from "@cardbridge/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { demoKeys } from "../../src/admission/api-key.ts";
import { demoPlatforms } from "../../src/boot/development/demo-data.ts";
import { bindings } from "../support/bindings.ts";
import { restSubmit } from "../support/call.ts";
import { startIssuer } from "../support/issuer.ts";
import { makeInternalKey } from "../support/keys.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { trpcClient } from "../support/trpc.ts";

/*
 * A person who may access one platform, over the whole service with a real database: no operation shows or changes what
 * another platform has, by whichever of its names.
 */
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let service: Awaited<ReturnType<typeof startTestService>>;
let appKey: string;
/** A person of the first platform, and one of all platforms. Both have every role. */
let bound: string;
let unbound: string;
/** The names of what the second platform has. */
let theirs: Record<string, string>;
let before: unknown;

const [one = "", two = ""] = demoPlatforms.map(({ id }) => id);
const allScopes: Scope[] = [...scope.options];

beforeAll(async () => {
  issuer = await startIssuer();
  service = await startTestService({ events: false, env: issuer.env });
  appKey = await makeInternalKey(service.adminUrl, allScopes);
  const claims = { roles: role.options, auth_time: Math.floor(Date.now() / 1_000) };
  bound = await issuer.token({ ...claims, sub: "bound", platforms: [one] });
  unbound = await issuer.token({ ...claims, sub: "unbound" });
  theirs = await makeTheirs();
  before = await stateOfTheirs();
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

async function makeTheirs() {
  const { memberId, email, ...submission } = newSubmission();
  const caller = service.caller(demoKeys.second);
  const { status, body, headers } = await restSubmit(caller, { ...submission, memberId, email });
  expect(status).toBe(200);
  await restSubmit(caller, newSubmission());
  await restSubmit(service.caller(), newSubmission());
  const { kycRecordId, externalUserId, cardAccountId } = body as Record<string, string>;
  const own = trpcClient({ url: service.url, apiKey: demoKeys.second });
  const { items } = await own.cards.list.query({ memberId });
  const { endpointId } = await own.webhooks.create.mutate({
    url: "https://hooks.example.com/",
    eventTypes: ["card.updated"],
  });
  const { deliveryId } = await own.webhooks.test.mutate({ endpointId });
  const all = trpcClient({ url: service.url, apiKey: appKey, person: unbound });
  const { keys } = await all.keys.list.query({ platformId: two });
  const { holdId } = await all.holds.place.mutate({
    ...{ platformId: two, externalUserId: String(externalUserId), reference: "HKMA-2027/118" },
  });
  const { proposal } = await all.users.erase.mutate({
    platformId: two,
    externalUserId: String(externalUserId),
  });
  const { openingId } = await all.records.submission.mutate({
    kycRecordId: String(kycRecordId),
    purpose: "review",
  });
  const { pauseId } = await all.pauses.pausePlatform.mutate({
    ...{ platformId: two, reason: "A reason", until: new Date(Date.now() + 3_600_000).toISOString() },
  });
  const names = {
    ...{ memberId, email, kycRecordId, externalUserId, cardAccountId },
    ...{ endpointId, deliveryId, openingId, holdId, pauseId },
    requestId: headers.get("x-request-id"),
    cardId: items[0]?.cardId,
    keyId: keys[0]?.keyId,
    proposalId: proposal?.proposalId,
  };
  for (const [name, value] of Object.entries(names))
    expect([name, value]).toEqual([name, expect.any(String)]);
  return names as Record<string, string>;
}

/** What the tests could have changed of the second platform. */
async function stateOfTheirs() {
  const all = trpcClient({ url: service.url, apiKey: appKey, person: unbound });
  const { kycRecordId = "", externalUserId = "" } = theirs;
  const { endpoints } = await all.webhooks.list.query({ platformId: two });
  const { keys } = await all.keys.list.query({ platformId: two });
  const { platforms } = await all.platforms.list.query({});
  return {
    user: await all.users.show.query({ platformId: two, externalUserId }),
    record: { ...(await all.records.state.query({ kycRecordId })), readAt: undefined },
    notes: await all.records.notes.query({ kycRecordId }),
    endpoints: endpoints.map(({ endpointId, url, enabled }) => ({ endpointId, url, enabled })),
    proposals: (await all.proposals.list.query({ platformIds: [two] })).proposals,
    pauses: (await all.pauses.list.query({})).pauses.filter(({ platformId }) => platformId === two),
    keys: keys.map(({ keyId, state, expiresAt }) => ({ keyId, state, expiresAt })),
    name: platforms.find(({ platformId }) => platformId === two)?.name,
  };
}

async function send(path: string, init: RequestInit = {}, person = bound) {
  const headers = { ...init.headers, authorization: `Bearer ${appKey}`, "x-cardbridge-person": person };
  const response = await fetch(service.url + path, { ...init, headers });
  return { status: response.status, text: await response.text() };
}

/** Nothing that the second platform has is in the text, but what the request had itself. */
function expectNothingOfTheirs(text: string, input: object): void {
  const sent = JSON.stringify(input);
  for (const value of [...Object.values(theirs), two]) {
    if (!sent.includes(value)) expect(text).not.toContain(value);
  }
}

const operations = bindings.filter(
  ({ transport, operation }) => transport === "tRPC" && operation.actors.includes("internal"),
);
type Binding = (typeof operations)[number];
const fieldsOf = ({ operation: { input } }: Binding) =>
  input instanceof z.ZodObject ? Object.keys(input.shape) : [];

/** The operation's example with the other platform's names, and with the platform that it is to be about. */
function inputAbout(binding: Binding, platformId: string) {
  const example = Object(binding.operation.example.input) as Record<string, unknown>;
  const fields = fieldsOf(binding);
  const named = Object.entries(theirs).filter(([name]) => name in example);
  return {
    ...example,
    ...Object.fromEntries(named),
    ...(binding.operation.platform || fields.includes("platformId") ? { platformId } : {}),
    ...(fields.includes("platformIds") ? { platformIds: [platformId] } : {}),
  };
}

const named = operations.map((binding) => ({ ...binding, id: binding.operation.id }));
/** What every person may read: the list of pauses has no other platform's, and the status has no platform. */
const ofEverybody = named.filter(({ id }) =>
  ["persons.me", "persons.colleagues", "pauses.list", "service.status"].includes(id),
);
it.each(ofEverybody)("$id shows nothing of another platform", async (binding) => {
  const { path, ...init } = binding.request({});
  const { status, text } = await send(path, init);
  expect(status, text).toBe(200);
  expectNothingOfTheirs(text, {});
});

// The operations' tests refuse each of them about another platform.
const ofPlatform = named.filter(
  (binding) => binding.operation.platform || /platformIds?/.test(fieldsOf(binding).join()),
);
it.each(ofPlatform)("$id about the own platform finds nothing of another one", async (binding) => {
  const input = inputAbout(binding, one);
  const { path, ...init } = binding.request(input);
  const { status, text } = await send(path, init);
  expect(status, text).toBeLessThan(500);
  expectNothingOfTheirs(text, input);
});

describe("by other ways", () => {
  const person = () => trpcClient({ url: service.url, apiKey: appKey, person: bound });

  it.each(["email", "memberId", "externalUserId", "cardAccountId"])(
    "no user is found by %s",
    async (name) => {
      const input = { [name]: theirs[name] };
      const path = `/trpc/users.find?input=${encodeURIComponent(JSON.stringify(input))}`;
      expect((await send(path, {}, unbound)).text).toContain(theirs.externalUserId);
      const { status, text } = await send(path);
      expect([status, JSON.parse(text).result.data]).toEqual([200, { users: [] }]);
    },
  );

  it("what another platform's caller received is not shown", async () => {
    const { requestId = "" } = theirs;
    const all = trpcClient({ url: service.url, apiKey: appKey, person: unbound });
    expect((await all.audit.request.query({ requestId })).entries).not.toEqual([]);
    expect(await person().audit.request.query({ requestId })).toEqual({ entries: [] });
  });

  it("a cursor and a position of a person with all platforms lead nowhere else", async () => {
    const all = trpcClient({ url: service.url, apiKey: appKey, person: unbound });
    const { nextCursor } = await all.records.search.query({ limit: 1 });
    expect(nextCursor).not.toBeNull();
    const input = { limit: 100, cursor: nextCursor };
    const { text } = await send(`/trpc/records.search?input=${encodeURIComponent(JSON.stringify(input))}`);
    expectNothingOfTheirs(text, {});
    const { changes } = await person().records.listChanges.query({ lastEventId: "0-0" });
    expect(changes.length).toBeGreaterThan(0);
    expect(new Set(changes.map(({ platformId }) => platformId))).toEqual(new Set([one]));
    const { records } = await person().records.search.query({});
    expect(new Set(records.map(({ platformId }) => platformId))).toEqual(new Set([one]));
  });

  it("a batch and a header give no second platform", async () => {
    const input = encodeURIComponent(JSON.stringify({ 0: { platformId: one }, 1: { platformId: two } }));
    const batch = await send(`/trpc/webhooks.list,webhooks.list?batch=1&input=${input}`);
    const [first, second] = JSON.parse(batch.text);
    expect(first.result.data.endpoints).toBeDefined();
    expect(second.error.data.problem.code).toBe("PLATFORM_NOT_FOUND");
    const own = encodeURIComponent(JSON.stringify({ platformId: one }));
    for (const platform of [two, `${one}, ${two}`]) {
      const headers = { "x-cardbridge-platform": platform };
      const { status, text } = await send(`/trpc/webhooks.list?input=${own}`, { headers });
      expect(status).toBe(404);
      expect(text).toContain("PLATFORM_NOT_FOUND");
    }
  });
});

it("after all calls, what the other platform has is as it was", async () => {
  expect(await stateOfTheirs()).toEqual(before);
});
