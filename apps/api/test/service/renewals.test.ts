import { afterAll, beforeAll, expect, it } from "vitest";
import { basePath } from "../../src/config/paths.ts";
import { readAnswer, restSubmit, trpcSubmit } from "../support/call.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { until } from "../support/until.ts";

/* Renewals through the whole service and the real sandbox. The tags after `renewal` are those of the renewals. */
let service: Awaited<ReturnType<typeof startTestService>>;
const clock = createManualClock();
beforeAll(async () => {
  service = await startTestService({ sandboxClock: clock });
});
afterAll(() => service.stop());

/** The fields of a response that these tests read. */
interface Body {
  [field: string]: unknown;
  kycRecordId: string;
  items: Record<string, unknown>[];
}

/** A user of a service who is approved, and whose document has expired. */
async function approvedUser(tags: string, at = service, changes: object = {}) {
  const { fetch, key } = at.caller();
  const first = { ...newSubmission(tags), documentExpiryDate: "2020-05-01", ...changes };
  const { memberId, email } = first;
  async function get(path: string) {
    const response = await fetch(`${basePath}${path}`, { headers: { authorization: `Bearer ${key}` } });
    return (await readAnswer(response)).body as Body;
  }
  const submit = async (body: object) => {
    const { status, body: answer } = await restSubmit(at.caller(), body);
    return { status, body: answer as Body };
  };
  const user = {
    memberId,
    first,
    renewal: { ...first, documentNumber: "R7654321", documentExpiryDate: "2999-01-31" },
    submit,
    read: () => get(`/users/kyc?memberId=${memberId}`),
    readByEmail: () => get(`/users/kyc?email=${encodeURIComponent(email)}`),
    readById: (kycRecordId: string) => get(`/users/kyc/${kycRecordId}`),
    cards: async () => (await get(`/cards/list?memberId=${memberId}`)).items,
  };
  const { status, body: approval } = await submit(first);
  expect([status, approval.status]).toEqual([200, "APPROVED"]);
  return { ...user, approval, cardsBefore: await user.cards() };
}

it("an approved renewal is the user's approval, with the same account and the same cards", async () => {
  const user = await approvedUser("approved");
  const { approval, cardsBefore, renewal } = user;
  expect(cardsBefore).toMatchObject([{ status: "active", cardAccountId: approval.cardAccountId }]);
  expect(await user.read()).toMatchObject({ documentExpiry: "expired", renews: null, renewal: null });

  const { status, body: renewed } = await user.submit(renewal);
  expect([status, renewed.status]).toEqual([200, "APPROVED"]);
  expect(renewed.kycRecordId).not.toBe(approval.kycRecordId);
  const { externalUserId, cardAccountId } = approval;
  expect(renewed).toMatchObject({ externalUserId, cardAccountId });
  const reading = await user.read();
  expect(reading).toMatchObject({ ...renewed, documentExpiry: "valid", renews: approval.kycRecordId });
  expect(reading.renewal).toBeNull();
  expect(await user.readByEmail()).toEqual(reading);
  expect(await user.readById(approval.kycRecordId)).toMatchObject({ status: "APPROVED", renews: null });
  expect(await user.cards()).toEqual(cardsBefore);

  // The provider has the reference of the approval, and the body is replayed.
  const { executions } = await service.ledger();
  const ofUser = executions.filter(({ userReference }) => userReference === externalUserId);
  expect(ofUser.map(({ request }) => (request as Body).renews)).toEqual([undefined, approval.kycRecordId]);
  expect((await trpcSubmit(service.caller(), renewal)).body).toEqual(renewed);
  const other = await user.submit({ ...renewal, documentNumber: "R1" });
  expect(other).toMatchObject({ status: 409, body: { kycRecordId: renewed.kycRecordId, errors: [] } });
});

it.each([
  { tags: "approved+renewal+rejected+document-unreadable", status: 200, now: "REJECTED" },
  { tags: "approved+renewal+refused", status: 422, now: null },
])("a renewal with the tags $tags leaves the approval, and another one is approved", async (given) => {
  const user = await approvedUser(given.tags);
  const { approval, cardsBefore, renewal } = user;
  const declined = await user.submit(renewal);
  expect(declined.status).toBe(given.status);
  const { kycRecordId } = declined.body;
  const reading = await user.read();
  expect(reading).toMatchObject({
    kycRecordId: approval.kycRecordId,
    status: "APPROVED",
    documentExpiry: "expired",
    cardAccountId: approval.cardAccountId,
    renewal: { kycRecordId, status: given.now },
  });
  expect(await user.readById(kycRecordId)).toMatchObject({
    status: given.now,
    documentExpiry: null,
    renews: approval.kycRecordId,
  });
  expect(await user.cards()).toEqual(cardsBefore);

  const { fetch, key } = service.caller();
  const email = user.first.email.replace(given.tags, "approved");
  const changed = await fetch(`${basePath}/users/email`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ memberId: user.memberId, email }),
  });
  expect(changed.status).toBe(200);
  const { body: renewed } = await user.submit({ ...renewal, email });
  expect(renewed).toMatchObject({ status: "APPROVED", cardAccountId: approval.cardAccountId });
  expect(await user.read()).toMatchObject({ kycRecordId: renewed.kycRecordId, renewal: null });
  expect(await user.cards()).toEqual(cardsBefore);
});

it("a renewal in review is under way until an act of the provider decides it", async () => {
  const user = await approvedUser("approved+renewal+pending");
  const { approval, cardsBefore, renewal, memberId } = user;
  const { kycRecordId } = (await user.submit(renewal)).body;
  const waiting = { kycRecordId: approval.kycRecordId, renewal: { kycRecordId, status: "PENDING_APPROVAL" } };
  expect(await user.read()).toMatchObject(waiting);
  expect(await user.submit({ ...renewal, documentNumber: "R1" })).toMatchObject({
    status: 409,
    body: { code: "KYC_ALREADY_SUBMITTED", kycRecordId },
  });
  const { fetch, key } = service.caller();
  const act = async (name: string) => {
    const response = await fetch(`${basePath}/sandbox/acts`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ memberId, act: name }),
    });
    return response.json();
  };
  const { cardId } = (await act("issue-card")) as { cardId: string };
  const cards = await user.cards();
  expect(cards).toHaveLength(cardsBefore.length + 1);
  expect(cards).toContainEqual(
    expect.objectContaining({ cardId, cardAccountId: approval.cardAccountId, status: "active" }),
  );
  expect(await act("approve")).toMatchObject({ kycRecordId });
  await until(async () => (await user.read()).kycRecordId === kycRecordId);
  expect(await user.read()).toMatchObject({ cardAccountId: approval.cardAccountId, renewal: null });
  expect(await user.cards()).toEqual(cards);
});

it("a renewal whose answer is lost is found, and has one effect", async () => {
  const user = await approvedUser("approved+renewal+garbage");
  const { approval, cardsBefore, renewal } = user;
  const { status, body } = await user.submit(renewal);
  expect([status, body.status]).toEqual([202, "PENDING"]);
  expect(await user.read()).toMatchObject({ kycRecordId: approval.kycRecordId, status: "APPROVED" });
  clock.advance(5_000);
  const replayed = await user.submit(renewal);
  expect(replayed.body).toMatchObject({ kycRecordId: body.kycRecordId });
  await until(async () => {
    await user.submit(renewal);
    return (await user.read()).kycRecordId === body.kycRecordId;
  });
  expect(await user.read()).toMatchObject({ cardAccountId: approval.cardAccountId, renewal: null });
  expect(await user.cards()).toEqual(cardsBefore);
  const { attempts } = await service.ledger();
  const ofRenewal = attempts.filter(({ reference }) => reference === body.kycRecordId);
  expect(ofRenewal.map(({ outcome }) => outcome)).toEqual(["garbage"]);
});

it("an approval with a valid document is not renewed, nor with another e-mail", async () => {
  const valid = await approvedUser("approved", service, { documentExpiryDate: "2999-01-01" });
  const { kycRecordId } = valid.approval;
  expect(await valid.submit(valid.renewal)).toMatchObject({ status: 409, body: { kycRecordId, errors: [] } });
  const expired = await approvedUser("approved");
  const other = await expired.submit({ ...expired.renewal, email: "other+approved@example.com" });
  expect(other).toMatchObject({ status: 409, body: { code: "USER_IDENTITY_CONFLICT" } });
});

it("a provider that cannot renew: a conflict says so, and nothing is stored or sent", async () => {
  const without = await startTestService({ overrides: { capabilities: { renews: false } } });
  try {
    const user = await approvedUser("approved", without);
    const { kycRecordId } = user.approval;
    expect(await user.submit(user.renewal)).toMatchObject({
      status: 409,
      body: { code: "KYC_ALREADY_SUBMITTED", kycRecordId, errors: [{ rule: "renewal-not-supported" }] },
    });
    expect(await user.read()).toMatchObject({ kycRecordId, documentExpiry: "expired", renewal: null });
    expect((await without.ledger()).executions.map(({ reference }) => reference)).toEqual([kycRecordId]);
  } finally {
    await without.stop();
  }
});
