import { Failure, type Labels, type ProviderAnswer } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { observeProvider } from "../../src/telemetry/observe-provider.ts";
import { fakePorts } from "../support/fakes.ts";

function observing(changes: Parameters<typeof fakePorts>[0] = {}) {
  const seen: [string, Labels | undefined, boolean][] = [];
  const provider = observeProvider(fakePorts(changes).ports.provider, {
    observe: (event, labels, seconds) => void seen.push([event, labels, (seconds ?? -1) >= 0]),
  });
  return { provider, seen };
}
const list = { userReference: "usr_1", page: 1, pageSize: 10 };

it("every call is observed once, with its outcome and duration", async () => {
  const { provider, seen } = observing();
  await provider.listCards(list);
  await provider.findCard("card_1");
  const steps = { done: async () => undefined, keep: async () => {} };
  await provider.findKyc({ reference: "kyc_1", userReference: "usr_1", steps });
  expect(seen).toEqual([
    ["provider_call", { operation: "listCards", outcome: "done" }, true],
    ["provider_call", { operation: "findCard", outcome: "done" }, true],
    ["provider_call", { operation: "findKyc", outcome: "not-found" }, true],
  ]);
});

it("optional calls are passed on and observed, and exist only if the provider has them", async () => {
  expect(Object.keys(observing().provider)).toEqual(["listCards", "findCard", "submitKyc", "findKyc"]);
  const { provider, seen } = observing({
    act: async ({ userReference }) => ({ cardId: `card of ${userReference}` }),
    answerRequest: async () => ({ outcome: "accepted" }),
  });
  const act = { key: "1", userReference: "usr_1", reference: null, act: "issue-card" } as const;
  expect(await provider.act?.(act)).toEqual({ cardId: "card of usr_1" });
  expect(await provider.answerRequest?.({} as ProviderAnswer)).toEqual({ outcome: "accepted" });
  expect(seen).toEqual([
    ["provider_call", { operation: "act", outcome: "done" }, true],
    ["provider_call", { operation: "answerRequest", outcome: "accepted" }, true],
  ]);
});

it.each([
  [new Failure("PROVIDER_TIMEOUT"), "PROVIDER_TIMEOUT"],
  [new DOMException("The caller left.", "AbortError"), "cancelled"],
])("a rejection is passed on and observed: %s", async (error, outcome) => {
  const { provider, seen } = observing({ listCards: () => Promise.reject(error) });
  await expect(provider.listCards(list)).rejects.toBe(error);
  expect(seen).toEqual([["provider_call", { operation: "listCards", outcome }, true]]);
});
