import { type CardProvider, defaultPolicies, Failure, type ProviderAct } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { exampleCard } from "../../src/cards/example.ts";
import { createOperations, type Ports } from "../../src/index.ts";
import { callOf, codeOf, rulesOf } from "../support/calls.ts";
import { makeWorld, someone } from "../support/world.ts";

const world = await makeWorld();
const { sandbox } = createOperations(defaultPolicies);
const { cardId } = exampleCard;

/** A user with a record and this card, a provider that acts, and calls for the user. `acts` has what the provider got. */
async function aUser(provider: Partial<CardProvider> = {}, changes: Partial<Ports> = {}) {
  const names = someone(crypto.randomUUID().slice(0, 8));
  const { platformId, kycRecordId, externalUserId } = await world.submitted(names);
  const acts: ProviderAct[] = [];
  const ports: Ports = {
    ...world.ports,
    provider: {
      ...world.ports.provider,
      findCard: async (id) => (id === cardId ? { userReference: externalUserId, card: exampleCard } : null),
      act: async (act) => {
        acts.push(act);
        return { cardId: "cardId" in act ? act.cardId : null };
      },
      ...provider,
    },
    ...changes,
  };
  const act = (
    input: object,
    { of = platformId, idempotencyKey }: { of?: string; idempotencyKey?: string } = {},
  ) => {
    const call = callOf("platform", { platformId: of, scopes: ["sandbox:act"], idempotencyKey });
    return sandbox.act.execute(ports, call, { memberId: names.memberId, ...input });
  };
  return { ...names, platformId, kycRecordId, externalUserId, acts, act };
}

it("an act on a submission names the user and their latest record, and never the memberId", async () => {
  const { memberId, platformId, kycRecordId, externalUserId, acts, act } = await aUser();
  const { data } = await act({ act: "reject", reasonCode: "document_unreadable" });
  expect(data).toEqual({ act: "reject", externalUserId, kycRecordId, cardId: null });
  expect(acts).toEqual([
    {
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      act: "reject",
      reasonCode: "document_unreadable",
      userReference: externalUserId,
      reference: kycRecordId,
    },
  ]);
  expect(JSON.stringify(acts)).not.toContain(memberId);
  expect((await world.audit.list([platformId])).entries).toContainEqual(
    expect.objectContaining({ operation: "sandbox.act", subject: kycRecordId, outcome: "done" }),
  );
});

it("an act on a card is audited under the card", async () => {
  const { platformId, act } = await aUser();
  expect((await act({ act: "lock-card", cardId })).data).toMatchObject({ act: "lock-card", cardId });
  expect((await world.audit.list([platformId])).entries).toContainEqual(
    expect.objectContaining({ operation: "sandbox.act", subject: cardId, outcome: "done" }),
  );
});

it("one Idempotency-Key is one key at the provider, and another one on each platform", async () => {
  const { acts, act } = await aUser();
  const other = await aUser();
  for (const idempotencyKey of ["mine", "mine", "another"]) await act({ act: "approve" }, { idempotencyKey });
  await other.act({ act: "approve" }, { idempotencyKey: "mine" });
  const [first, again, another] = acts.map(({ key }) => key);
  expect(again).toBe(first);
  expect(new Set([first, another, other.acts[0]?.key]).size).toBe(3);
  expect(first).not.toContain("mine");
});

it("without an Idempotency-Key, each call is an act of its own", async () => {
  const { acts, act } = await aUser();
  await act({ act: "issue-card" });
  await act({ act: "issue-card" });
  expect(new Set(acts.map(({ key }) => key)).size).toBe(2);
});

it("an imported user without a record has no reference", async () => {
  const { platformId, acts, act } = await aUser();
  const imported = {
    ...someone(crypto.randomUUID().slice(0, 8)),
    externalUserId: `usr_${crypto.randomUUID()}`,
  };
  await world.userAdmin.import(platformId, [imported]);
  await act({ act: "approve", memberId: imported.memberId });
  expect(acts).toMatchObject([{ userReference: imported.externalUserId, reference: null }]);
});

it("an unknown user, and one of another platform, are not found", async () => {
  const { acts, act } = await aUser();
  expect(await codeOf(act({ act: "approve", memberId: "nobody" }))).toBe("USER_NOT_FOUND");
  expect(await codeOf(act({ act: "approve" }, { of: await world.platform() }))).toBe("USER_NOT_FOUND");
  expect(acts).toEqual([]);
});

it.each([
  ["an unknown card", null],
  ["a card of another user", { userReference: "usr_other", card: exampleCard }],
])("%s is not found, and the provider does not act", async (_name, found) => {
  const { acts, act } = await aUser({ findCard: async () => found });
  expect(await codeOf(act({ act: "lose-card", cardId }))).toBe("CARD_NOT_FOUND");
  expect(acts).toEqual([]);
});

it("a live service, and a provider that cannot act, have no such route", async () => {
  const { acts, act: onLive } = await aUser({}, { environment: "live" });
  expect(await codeOf(onLive({ act: "approve" }))).toBe("ROUTE_NOT_FOUND");
  expect(acts).toEqual([]);
  const { act } = await aUser({ act: undefined as never });
  expect(await codeOf(act({ act: "approve" }))).toBe("ROUTE_NOT_FOUND");
});

it("a conflict at the provider keeps its reason and is audited", async () => {
  const violations = [{ path: [], rule: "not-possible", message: "The card is lost." }];
  const { platformId, act } = await aUser({
    act: () => Promise.reject(new Failure("SANDBOX_ACT_CONFLICT", { violations })),
  });
  expect(await rulesOf(act({ act: "unlock-card", cardId }))).toEqual(["not-possible"]);
  expect((await world.audit.list([platformId])).entries).toContainEqual(
    expect.objectContaining({ operation: "sandbox.act", outcome: "SANDBOX_ACT_CONFLICT" }),
  );
});

it("while the provider is paused, nothing is asked and nothing happens", async () => {
  const run = () => Promise.reject(new Failure("PROVIDER_PAUSED"));
  const { acts, act } = await aUser({}, { providerSlots: { ...world.ports.providerSlots, run } });
  expect(await codeOf(act({ act: "lock-card", cardId }))).toBe("PROVIDER_PAUSED");
  expect(acts).toEqual([]);
});

it.each([
  ["an unknown act", { act: "freeze" }, [[["act"], "enum"]]],
  ["no act", {}, [[["act"], "required"]]],
  ["an act on a card without a card", { act: "lock-card" }, [[["cardId"], "required"]]],
  ["a card number", { act: "lock-card", cardId: "4242424242424242" }, [[["cardId"], "card-id"]]],
  ["no document", { act: "ask-document" }, [[["documentType"], "required"]]],
  ["a reason that is none", { act: "reject", reasonCode: "Bad!" }, [[["reasonCode"], "reason-code"]]],
  ["a misspelled field", { act: "lock-card", cardId, member_id: "x" }, [[["memberId"], "misspelled-field"]]],
])("%s is an invalid input", async (_name, input, wanted) => {
  const { acts, act } = await aUser();
  const error = await act(input).catch((failure: Failure) => failure);
  const { details } = error as Failure;
  expect(details.violations?.map(({ path, rule }) => [path, rule])).toEqual(wanted);
  expect(acts).toEqual([]);
});
