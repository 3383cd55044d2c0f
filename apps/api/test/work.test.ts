import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openStage, type Service, type Stage } from "./faults/stage.ts";
import type { Submission } from "./faults/submission.ts";
import { type Way, ways } from "./support/ways.ts";

/**
 * What one request costs, counted in the real process: a guard against work that nobody meant to add. Time is
 * measured elsewhere; counts are the same on every machine.
 */
const preload = new URL("support/count-work.mjs", import.meta.url).href;

let stage: Stage;
let service: Service;
beforeAll(async () => {
  stage = await openStage(inject("postgres"), Math.random);
  service = await stage.service({ env: { NODE_OPTIONS: `--import=${preload}`, DATABASE_CONNECTIONS: "1" } });
});
afterAll(() => stage.close());

interface Work {
  commits: number;
  statements: number;
  providerCalls: number;
  parses: number;
  signatures: number;
  hashes: number;
  sealed: number;
  opened: number;
}

let asked = 0;

/** What the process itself has counted so far. */
async function ownCounts(): Promise<Record<string, number>> {
  asked += 1;
  service.child.kill("SIGUSR2");
  const told = () => [...service.output().matchAll(/^work (\{.*\})$/gm)].map(([, json = ""]) => json);
  await expect.poll(() => told().length).toBe(asked);
  return JSON.parse(told().at(-1) ?? "");
}

async function look(): Promise<Work> {
  const { database, provider } = service;
  const own = await ownCounts();
  return {
    commits: database.commits(),
    statements: database.statements(),
    providerCalls: provider.seen.length,
    ...own,
  } as Work;
}

const wayOf = (id: string, transport: string) =>
  ways.find((way) => way.operation.id === id && way.transport === transport) as Way;

async function call(way: Way, input: object): Promise<void> {
  const { path, ...request } = way.request({ ...input });
  const headers = { ...request.headers, authorization: `Bearer ${stage.keys.first}` };
  const response = await fetch(`${service.url}${path}`, { ...request, headers });
  expect(response.status).toBe(200);
  await response.text();
}

async function workOf(way: Way, input: object): Promise<Work> {
  const before = await look();
  await call(way, input);
  const after = await look();
  const names = Object.keys(after) as (keyof Work)[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as unknown as Work;
}

const nothing: Work = {
  commits: 0,
  statements: 0,
  providerCalls: 0,
  parses: 0,
  signatures: 0,
  hashes: 0,
  sealed: 0,
  opened: 0,
};

/** Of every call the key's hash. tRPC parses the input that was checked once more, and the query's as well. */
const expected: Record<string, Work> = {
  // The key's hash; the blind index and the call's signature.
  "a page of cards": {
    ...nothing,
    commits: 1,
    statements: 4,
    providerCalls: 1,
    parses: 1,
    signatures: 2,
    hashes: 1,
  },
  // One commit before the call and one after it; a user's names, their key, and the submission are sealed.
  "a submission": {
    ...{ commits: 2, statements: 14, providerCalls: 1, parses: 2 },
    ...{ signatures: 4, hashes: 2, sealed: 3, opened: 1 },
  },
  // A newcomer is sealed before anyone knows that there is none.
  "a submission that is repeated": {
    ...nothing,
    ...{ commits: 1, statements: 7, parses: 1, signatures: 3, hashes: 1, sealed: 2 },
  },
  // One commit for the audit.
  "a record's result": { ...nothing, commits: 2, statements: 7, signatures: 1, hashes: 1 },
};
const parsedAgain: Record<string, number> = { "a page of cards": 2, "a record's result": 2 };

function workFor(what: string, transport: string): Work {
  const work = expected[what] ?? nothing;
  return { ...work, parses: work.parses + (transport === "REST" ? 0 : (parsedAgain[what] ?? 1)) };
}

describe.each(["REST", "tRPC"])("over %s", (transport) => {
  let submission: Submission;
  beforeAll(async () => {
    // Connections are made and statements prepared with the first calls.
    for (let round = 0; round < 2; round += 1) {
      submission = stage.submission();
      await call(wayOf("kyc.submit", transport), submission);
      await call(wayOf("kyc.get", transport), { memberId: submission.memberId });
      await call(wayOf("cards.list", transport), { memberId: submission.memberId });
    }
  });

  it.each([
    ["a page of cards", "cards.list", () => ({ memberId: submission.memberId })],
    ["a submission", "kyc.submit", () => stage.submission()],
    ["a submission that is repeated", "kyc.submit", () => submission],
    ["a record's result", "kyc.get", () => ({ memberId: submission.memberId })],
  ] as const)("%s", async (what, id, input) => {
    expect(await workOf(wayOf(id, transport), input())).toEqual(workFor(what, transport));
  });
});
