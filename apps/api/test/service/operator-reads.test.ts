import { afterAll, beforeAll, expect, it } from "vitest";
import { restList, restSubmit } from "../support/call.ts";
import { makeInternalKey } from "../support/keys.ts";
import { operatorScopes } from "../support/operator-scopes.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { problemIn, trpcClient } from "../support/trpc.ts";

/** What an internal app reads over platforms, of the service with real components. */
let service: Awaited<ReturnType<typeof startTestService>>;
let client: ReturnType<typeof trpcClient>;
beforeAll(async () => {
  service = await startTestService({ events: false });
  client = trpcClient({
    url: service.url,
    apiKey: await makeInternalKey(service.adminUrl, operatorScopes),
  });
});
afterAll(() => service.stop());

const platformId = "plt_demo_one";

it("an operator finds a user by each name, and lists their cards by externalUserId", async () => {
  const { email, memberId, ...submission } = newSubmission();
  const { body } = await restSubmit(service.caller(), { ...submission, email, memberId });
  const { externalUserId, cardAccountId } = body as { externalUserId: string; cardAccountId: string };
  for (const name of [{ email }, { memberId }, { externalUserId }, { cardAccountId }]) {
    const { users } = await client.users.find.query(name);
    expect(users).toMatchObject([{ platformId, externalUserId, erasure: "none", held: false }]);
  }
  const cards = await client.users.cards.query({ platformId, externalUserId });
  expect(cards).toEqual((await restList(service.caller(), { memberId })).body);
  expect(cards.total).toBeGreaterThan(0);
  const unknown = client.users.cards.query({ platformId, externalUserId: "usr_none" });
  expect(await problemIn(unknown)).toMatchObject({ code: "USER_NOT_FOUND" });
});

/* Texts and times that PostgreSQL does not have are refused as input, and never fail in a statement. */
const refused = (field: string) => ({
  code: "INVALID_INPUT",
  errors: [{ path: expect.stringMatching(new RegExp(`^/?${field}$`)) }],
});

const times: ((times: { first: string; last: string }) => readonly [string, Promise<unknown>])[] = [
  ({ first }) => ["after", client.audit.list.query({ after: first })],
  ({ last }) => ["before", client.audit.list.query({ before: last })],
  ({ first }) => ["createdAfter", client.records.search.query({ createdAfter: first })],
  ({ last }) => ["createdBefore", client.records.requeueMany.mutate({ preview: true, createdBefore: last })],
  ({ first }) => ["createdAfter", client.webhooks.searchDeliveries.query({ createdAfter: first })],
  ({ last }) => [
    "createdBefore",
    client.webhooks.redeliverMany.mutate({ preview: true, createdBefore: last }),
  ],
];

it.each(["0000-01-01T00:00:00Z", "2026-01-01T00:00:00+16:00", "2026-01-01T00:00:00-23:59"])(
  "the time %s is refused",
  async (time) => {
    for (const search of times) {
      const [field, answer] = search({ first: time, last: time });
      expect(await problemIn(answer)).toMatchObject(refused(field));
    }
  },
);

it.each([
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999Z",
  "2026-01-01T00:00:00+15:59",
  "2026-01-01T00:00Z",
])("the time %s is searched", async (time) => {
  for (const search of times) expect(await problemIn(search({ first: time, last: time })[1])).toBeUndefined();
});

it.each(["a\u0000b", "\ud800", "a\nb", ""])("the text %j is refused", async (text) => {
  for (const field of ["subject", "operation", "outcome"]) {
    expect(await problemIn(client.audit.list.query({ [field]: text }))).toMatchObject(refused(field));
  }
  const user = client.users.find.query({ cardAccountId: text });
  expect(await problemIn(user)).toMatchObject(refused("cardAccountId"));
  expect(await problemIn(client.search.find.query({ text }))).toMatchObject(refused("text"));
});
