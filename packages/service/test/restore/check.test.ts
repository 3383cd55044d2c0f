import type { ProviderExecution, Restores } from "@cardbridge/domain";
import { Failure } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { checkRestore } from "../../src/restores/check.ts";
import { findExecutions } from "../../src/restores/executions.ts";
import { callOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { makeWorld } from "../support/world.ts";

/** A database with an empty audit. */
const { database } = await makeWorld();

const newestAt = new Date("2026-01-31T12:00:00.000Z");
const execution = (nth: number): ProviderExecution => ({
  reference: `kyc_${nth}`,
  userReference: `usr_${nth}`,
  fingerprint: null,
  executedAt: newestAt,
  verdict: { outcome: "answered", subStatus: "approved", cardAccountId: null, revision: 1 },
});

/** Runs a check whose ports are replaced, and returns its report and what it changed. */
async function check(
  restores: Partial<Restores> = {},
  { listExecutions, input = {} }: { listExecutions?: unknown; input?: object } = {},
) {
  const { ports } = fakePorts({ database });
  const finished: unknown[] = [];
  const replaced = {
    ...ports,
    provider: { ...ports.provider, ...(listExecutions ? { listExecutions } : {}) } as typeof ports.provider,
    restores: {
      ...ports.restores,
      platforms: async () => [{ platformId: "plt_1", newestAt, continues: true }],
      finish: async (result: unknown) => void finished.push(result),
      ...restores,
    },
  };
  const { data } = await checkRestore.execute(replaced, callOf("operator"), input);
  const find = (part: string) => data.findings.find(({ check }) => check === part);
  return { ...data, find, finished };
}

it("lists executions from an hour before the newest audit entry, page by page", async () => {
  const asked: unknown[] = [];
  const listExecutions = async (request: { cursor?: string }) => {
    asked.push(request);
    const isFirst = request.cursor === undefined;
    return { executions: [execution(isFirst ? 1 : 2)], nextCursor: isFirst ? "next" : null };
  };
  const results = ["adopted", "unknown"] as const;
  const added: string[] = [];
  const { find, passed, finished, since } = await check(
    { addExecution: async ({ reference }) => results[added.push(reference) - 1] ?? "known" },
    { listExecutions },
  );
  const from = new Date("2026-01-31T11:00:00.000Z");
  expect(since).toBe(from.toISOString());
  expect(asked).toEqual([
    { from, cursor: undefined },
    { from, cursor: "next" },
  ]);
  expect(added).toEqual(["kyc_1", "kyc_2"]);
  expect(find("Executions")).toMatchObject({
    result: "note",
    details: ["kyc_1 of usr_1 is adopted.", "kyc_2 of usr_2 is unknown."],
  });
  expect({ passed, finished }).toEqual({ passed: true, finished: [{ listed: true }] });
});

it.each([
  { name: "an adapter without the call", listExecutions: undefined },
  { name: "a provider without the call", listExecutions: async () => null },
])("$name is a note: the check passes, and events are explained for a while", async ({ listExecutions }) => {
  const { find, passed, finished } = await check({}, { listExecutions });
  expect(find("Executions")).toMatchObject({ result: "note" });
  expect({ passed, finished }).toEqual({ passed: true, finished: [{ listed: false }] });
});

const unavailable = async () => Promise.reject(new Failure("SERVICE_UNAVAILABLE"));
const lostRights = { accessProblems: async () => ["users cannot be read."] };
const lowerNumbers = [{ platformId: "plt_1", newestAt, continues: false }];
const changedLog = { erasures: [], problems: ["Entry 1."] };
const problems: { part: string; name: string; ports?: Partial<Restores>; listExecutions?: unknown }[] = [
  { part: "Access", name: "lost rights", ports: lostRights },
  { part: "Keys", name: "other keys", ports: { keyProblems: async () => ["Version 1 is missing."] } },
  { part: "Audit", name: "lower numbers", ports: { platforms: async () => lowerNumbers } },
  { part: "Erasures", name: "a changed log", ports: { recoverErasures: async () => changedLog } },
  { part: "Erasures", name: "an unusable log", ports: { recoverErasures: unavailable } },
  { part: "Executions", name: "an unavailable provider", listExecutions: unavailable },
];
it.each(problems)("$part: $name is a problem, and the service does not start", async (problem) => {
  const { part, ports, listExecutions } = problem;
  const { find, passed, mayStart, finished } = await check(ports, { listExecutions });
  expect(find(part)).toMatchObject({ result: "problem" });
  expect({ passed, mayStart, finished }).toEqual({ passed: false, mayStart: false, finished: [] });
});

it("a problem can be accepted, but not one that leaves the other parts unchecked", async () => {
  const input = { accept: true };
  const changed = await check({ recoverErasures: unavailable }, { input });
  expect(changed).toMatchObject({ passed: false, mayStart: true, finished: [{ listed: false }] });
  const lost = await check(lostRights, { input });
  expect(lost).toMatchObject({ passed: false, mayStart: false, finished: [], findings: { length: 2 } });
});

it("a file store that cannot be listed is a note", async () => {
  const { find, passed } = await check({ compareFiles: unavailable });
  expect(find("Files")).toMatchObject({ result: "note" });
  expect(passed).toBe(true);
});

it("lists no executions while the provider is paused", async () => {
  const { ports } = fakePorts();
  ports.providerSlots.run = async () => Promise.reject(new Failure("PROVIDER_PAUSED"));
  const listExecutions = () => Promise.reject(new Error("called"));
  const paused = { ...ports, provider: { ...ports.provider, listExecutions } };
  const by = { actor: "claim:ada", requestId: null, address: null, operation: "restore.check" };
  const { finding, listed } = await findExecutions(paused, newestAt, by);
  expect([listed, finding.result, finding.found]).toEqual([
    false,
    "problem",
    "The provider's executions could not be listed (PROVIDER_PAUSED). Run the check again.",
  ]);
});
