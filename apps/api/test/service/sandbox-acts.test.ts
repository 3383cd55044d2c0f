import { afterAll, beforeAll, expect, it } from "vitest";
import { demoKeys } from "../../src/admission/api-key.ts";
import { basePath } from "../../src/config/paths.ts";
import { readAnswer } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { until } from "../support/until.ts";

/** Acts of the real sandbox: what follows from them comes by its own events. */
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** The fields of a response that these tests read. */
interface Body {
  [field: string]: unknown;
  items: Record<string, unknown>[];
  requests?: object[];
}
interface Options {
  key?: string;
  headers?: Record<string, string>;
}

async function call(
  method: string,
  path: string,
  body?: object,
  { key = demoKeys.first, headers }: Options = {},
) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await readAnswer(response);
  return { status: answer.status, body: answer.body as Body };
}

const act = (body: object, options?: Options) => call("POST", `${basePath}/sandbox/acts`, body, options);

/** A user whose review goes on, and what the platform reads of them. */
async function aUser(tag = "pending") {
  const submission = newSubmission(tag);
  const { memberId } = submission;
  const { body } = await call("POST", `${basePath}/users/kyc`, submission);
  return {
    ...submission,
    kycRecordId: body.kycRecordId,
    read: async () => (await call("GET", `${basePath}/users/kyc?memberId=${memberId}`)).body,
    cards: async () => (await call("GET", `${basePath}/cards/list?memberId=${memberId}`)).body.items,
  };
}

it("an approval comes as the provider's event, and its webhooks follow", async () => {
  const { body: endpoint } = await call("POST", `${basePath}/webhooks`, {
    url: "https://hooks.example.com/",
    eventTypes: ["kyc.updated", "card.updated"],
  });
  const deliveries = async () =>
    (await call("GET", `${basePath}/webhooks/${endpoint.endpointId}/deliveries`)).body.items;
  const { memberId, kycRecordId, read, cards } = await aUser();
  expect(await act({ memberId, act: "approve" })).toMatchObject({
    status: 200,
    body: { act: "approve", kycRecordId, cardId: null },
  });
  await until(async () => (await read()).status === "APPROVED");

  const issued = await act({ memberId, act: "issue-card" });
  const { cardId } = issued.body;
  expect((await cards()).map((card) => [card.cardId, card.status])).toContainEqual([cardId, "active"]);
  expect(await act({ memberId, act: "lock-card", cardId })).toMatchObject({ status: 200, body: { cardId } });
  await until(async () => (await deliveries()).some(({ type }) => type === "card.updated"));
  const found = (await deliveries()).filter(({ type }) => type === "card.updated");
  expect(found).toMatchObject([{ type: "card.updated", status: "pending" }]);
  expect((await call("GET", `${basePath}/cards/${cardId}`)).body).toMatchObject({ status: "locked" });

  const again = await act({ memberId, act: "lock-card", cardId });
  expect([again.status, again.body.code, again.body.errors]).toMatchObject([
    409,
    "SANDBOX_ACT_CONFLICT",
    [{ rule: "not-possible" }],
  ]);
});

it("a rejection has the reason", async () => {
  const { memberId, read } = await aUser();
  await act({ memberId, act: "reject", reasonCode: "document_unreadable" });
  await until(async () => (await read()).status === "REJECTED");
  expect((await read()).reasons).toMatchObject([{ code: "DOCUMENT_UNREADABLE" }]);
});

it("a request for a document is in the record", async () => {
  const { memberId, read } = await aUser();
  await act({ memberId, act: "ask-document", documentType: "BANK_STATEMENT" });
  await until(async () => (await read()).requests?.[0] !== undefined);
  expect((await read()).requests).toMatchObject([{ documentType: "BANK_STATEMENT", status: "open" }]);
});

it("equal acts with one Idempotency-Key happen once, over both transports; another act is a conflict", async () => {
  const { memberId, cards } = await aUser("approved");
  const before = (await cards()).length;
  const headers = { "idempotency-key": `issue-${memberId}` };
  const issue = { memberId, act: "issue-card" };
  const first = await act(issue, { headers });
  expect(await call("POST", "/trpc/sandbox.act", issue, { headers })).toEqual(first);
  expect(await cards()).toHaveLength(before + 1);
  const other = await act({ memberId, act: "reject" }, { headers });
  expect([other.status, other.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
});

it("another platform's user and card are not found", async () => {
  const { memberId, cards } = await aUser("approved");
  const cardId = (await cards())[0]?.cardId;
  const foreign = await act({ memberId, act: "approve" }, { key: demoKeys.second });
  expect([foreign.status, foreign.body.code]).toEqual([404, "USER_NOT_FOUND"]);
  const lost = await act({ memberId: "alice", act: "lose-card", cardId }, { key: demoKeys.second });
  expect([lost.status, lost.body.code]).toEqual([404, "CARD_NOT_FOUND"]);
  expect((await cards())[0]).toMatchObject({ status: "active" });
});

it("a demo user without a submission has nothing to decide, and their cards change", async () => {
  const decided = await act({ memberId: "alice", act: "approve" });
  expect([decided.status, decided.body.errors]).toMatchObject([409, [{ rule: "no-submission" }]]);
  const cardId = "card_demo_0001";
  for (const one of ["lock-card", "unlock-card"])
    expect(await act({ memberId: "alice", act: one, cardId })).toMatchObject({ status: 200 });
});
