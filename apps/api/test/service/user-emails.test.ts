import { afterAll, beforeAll, expect, it } from "vitest";
import { readAnswer, restList, restSubmit } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** The service with real components, called as a platform's engineer would (gap G17). */
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService({ events: false });
});
afterAll(() => service.stop());

const refusedOnce = "document-unreadable+once+approved";
const submit = (body: object) => restSubmit(service.caller(), body);

async function changeEmail(body: object, path = "/openapi/v1/users/email") {
  const { fetch, key } = service.caller();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return readAnswer(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

const cardsOf = async (identifier: Record<string, string>) =>
  (await restList(service.caller(), identifier)).status;

it("approves two users who were submitted with each other's e-mail", async () => {
  const [ada, bob] = [newSubmission(refusedOnce), newSubmission(refusedOnce)];
  for (const mistaken of [
    { ...ada, email: bob.email },
    { ...bob, email: ada.email },
  ])
    expect(await submit(mistaken)).toMatchObject({ status: 422, body: { code: "KYC_REFUSED" } });
  expect(await submit(ada)).toMatchObject({ status: 200, body: { status: "APPROVED" } });
  // Nobody has Bob's e-mail: Ada has her own, and Bob none.
  expect([await cardsOf({ memberId: bob.memberId }), await cardsOf({ email: bob.email })]).toEqual([
    200, 404,
  ]);
  expect(await submit(bob)).toMatchObject({ status: 200, body: { status: "APPROVED" } });
  const statuses = [ada, bob].flatMap(({ email, memberId }) => [cardsOf({ email }), cardsOf({ memberId })]);
  expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200]);
});

it("names the field of a conflict, and an approved user's e-mail can be changed", async () => {
  const [ada, bob] = [newSubmission("approved"), newSubmission("approved")];
  const first = await submit({ ...ada, email: bob.email });
  expect(first).toMatchObject({ status: 200, body: { status: "APPROVED" } });
  const { externalUserId } = first.body as { externalUserId: string };
  expect(await submit(bob)).toMatchObject({
    status: 409,
    body: {
      code: "USER_IDENTITY_CONFLICT",
      errors: [{ path: "/memberId", rule: "email-of-another-user", message: expect.any(String) }],
    },
  });
  expect(await submit(ada)).toMatchObject({
    status: 409,
    body: { errors: [{ path: "/email", rule: "email-mismatch", message: expect.any(String) }] },
  });
  const { memberId, email } = ada;
  const changed = { status: 200, body: { externalUserId } };
  expect(await changeEmail({ memberId, email })).toMatchObject(changed);
  expect(
    await changeEmail({ memberId, email: email.toUpperCase() }, "/trpc/users.changeEmail"),
  ).toMatchObject(changed);
  expect(await submit(bob)).toMatchObject({ status: 200, body: { status: "APPROVED" } });
  expect(await changeEmail({ memberId, email: bob.email })).toMatchObject({
    status: 409,
    body: { errors: [{ path: "/email", rule: "email-of-another-user" }] },
  });
  expect(await changeEmail({ memberId: "nobody", email })).toMatchObject({
    status: 404,
    body: { code: "USER_NOT_FOUND" },
  });
});
