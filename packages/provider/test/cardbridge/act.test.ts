import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CardProvider, Failure, type ProviderAct } from "@cardbridge/domain";
import { startSandbox } from "@cardbridge/sandbox";
import { describe, expect, it, onTestFinished } from "vitest";
import { newKycRequest } from "../../src/conformance/inputs.ts";
import { listen } from "../support/listener.ts";
import { client, connect, failureOf } from "../support/provider.ts";
import { always } from "../support/responses.ts";

const approve: ProviderAct = { act: "approve", key: "act_1", userReference: "usr_1", reference: "kyc_1" };

function perform(provider: CardProvider, act: ProviderAct) {
  if (!provider.act) throw new Error("The adapter cannot act.");
  return provider.act(act);
}

describe("an act", () => {
  it.each<[ProviderAct, object]>([
    [approve, {}],
    [{ ...approve, act: "reject", reasonCode: "document_unreadable" }, { reasonCode: "document_unreadable" }],
    [{ ...approve, act: "reject", reference: null }, {}],
    [{ ...approve, act: "ask-document", documentType: "SELFIE" }, { documentType: "SELFIE" }],
    [{ ...approve, act: "lock-card", cardId: "card_1" }, { cardId: "card_1" }],
  ])("is a signed POST with its own fields only: %j", async (act, fields) => {
    const result = { key: "act_1", act: act.act, cardId: null };
    const { url, requests } = await listen(always(200, result));
    const { provider } = connect(url);
    const memberId = "member-7f3c9a51e0";
    expect(await perform(provider, Object.assign({ memberId }, act))).toEqual({ cardId: null });
    const [sent] = requests;
    expect(sent).toMatchObject({ method: "POST", target: "/v1/acts" });
    expect(sent?.headers.get("x-signature")).toMatch(/^v1=[0-9a-f]{64}$/);
    const { reference } = act;
    const common = { key: "act_1", act: act.act, userReference: "usr_1", reference };
    expect(JSON.parse(sent?.body ?? "")).toEqual({ ...common, ...fields });
  });

  it.each([
    [409, { error: { code: "key_conflict" } }, "IDEMPOTENCY_KEY_REUSED"],
    [409, { error: { code: "reference_conflict" } }, "PROVIDER_ANSWER_INVALID"],
    [404, { error: { code: "user_not_found" } }, "USER_NOT_FOUND"],
    [404, { cardId: "card_1", error: { code: "card_not_found" } }, "CARD_NOT_FOUND"],
    [404, { error: { code: "not_found" } }, "ROUTE_NOT_FOUND"],
    [404, "<p>Not here</p>", "ROUTE_NOT_FOUND"],
    [405, "", "ROUTE_NOT_FOUND"],
    [400, { error: { code: "bad_request" } }, "PROVIDER_ANSWER_INVALID"],
    [401, {}, "PROVIDER_UNAVAILABLE"],
    [429, {}, "PROVIDER_UNAVAILABLE"],
    [500, {}, "PROVIDER_UNAVAILABLE"],
    [200, {}, "PROVIDER_ANSWER_INVALID"],
    [200, { key: "act_2", act: "approve", cardId: null }, "PROVIDER_ANSWER_INVALID"],
    [200, { key: "act_1", act: "reject", cardId: null }, "PROVIDER_ANSWER_INVALID"],
  ])("fails after a %i with %j: %s", async (status, body, code) => {
    const { url, requests } = await listen(always(status, body));
    const { provider } = connect(url);
    expect(await failureOf(perform(provider, approve))).toMatchObject({ code });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ["no-submission", "no-submission"],
    ["not-possible", "not-possible"],
    ["Jane Doe is on holiday", "not-possible"],
  ])("that conflicts for %s names the rule %s, in the service's own words", async (reason, rule) => {
    const body = { reason, error: { code: "act_conflict", message: "Jane Doe is on holiday" } };
    const { url } = await listen(always(409, body));
    const failure = await perform(connect(url).provider, approve).catch((error: unknown) => error);
    if (!(failure instanceof Failure)) throw failure;
    expect(failure.code).toBe("SANDBOX_ACT_CONFLICT");
    expect(failure.details.violations).toEqual([{ path: [], rule, message: expect.any(String) }]);
    expect(JSON.stringify(failure.details)).not.toContain("Jane");
  });
});

it("acts on the sandbox once under its key, and reads its conflicts", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "cardbridge-act-"));
  onTestFinished(() => rm(dataFolder, { recursive: true }));
  const sandbox = await startSandbox({ dataFolder, ...client });
  onTestFinished(() => sandbox.close());
  const { provider } = connect(sandbox.url);
  const request = newKycRequest("ada+pending@example.com");
  const { reference, userReference } = request;
  const act = <const Act extends object>(more: Act) => ({ key: "act_1", reference, userReference, ...more });
  const early = perform(provider, act({ act: "approve" }));
  expect(await failureOf(early)).toMatchObject({ code: "SANDBOX_ACT_CONFLICT" });

  await provider.submitKyc(request);
  await perform(provider, act({ key: "act_2", act: "ask-document", documentType: "SELFIE" }));
  const asked = await provider.findKyc(request);
  expect(asked).toMatchObject({
    requests: [{ documentType: "SELFIE", accepts: ["SELFIE"], status: "open" }],
  });
  for (let count = 0; count < 2; count += 1)
    expect(await perform(provider, act({ key: "act_3", act: "approve" }))).toEqual({ cardId: null });
  expect(await provider.findKyc(request)).toMatchObject({ subStatus: "approved", revision: 2 });

  const { items } = await provider.listCards({ userReference, page: 1, pageSize: 20 });
  const cardId = items[0]?.cardId ?? "";
  expect(await perform(provider, act({ key: "act_4", act: "lock-card", cardId }))).toEqual({ cardId });
  expect(await provider.findCard(cardId)).toMatchObject({ card: { status: "locked" } });
  const failures = {
    SANDBOX_ACT_CONFLICT: act({ key: "act_5", act: "lock-card", cardId }),
    CARD_NOT_FOUND: act({ key: "act_5", act: "lock-card", cardId: "card_0" }),
    USER_NOT_FOUND: { ...act({ key: "act_5", act: "lock-card", cardId }), userReference: "usr_0" },
    IDEMPOTENCY_KEY_REUSED: act({ key: "act_4", act: "unlock-card", cardId }),
  };
  for (const [code, failing] of Object.entries(failures))
    expect(await failureOf(perform(provider, failing))).toMatchObject({ code });
});
