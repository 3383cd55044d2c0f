import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Submission } from "../faults/clients/marked-submission.ts";
import { type Cluster, startCluster } from "../faults/cluster/cluster.ts";
import type { Service } from "../faults/cluster/service.ts";
import { type Way, ways } from "../support/ways.ts";

/**
 * What one request costs, counted in the real process: a guard against work that nobody meant to add. Time is
 * measured elsewhere; counts are the same on every machine.
 */
const preload = new URL("../support/count-work.mjs", import.meta.url).href;

let cluster: Cluster;
let service: Service;
beforeAll(async () => {
  cluster = await startCluster(inject("postgres"), Math.random);
  service = await counting({ LOOKUP_CACHE_SECONDS: "60" });
});
afterAll(() => cluster.close());

const counting = (env: Record<string, string>) =>
  cluster.startService({ env: { NODE_OPTIONS: `--import=${preload}`, DATABASE_CONNECTIONS: "1", ...env } });

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

/** What the process itself has counted so far. */
async function ownCounts(): Promise<Record<string, number>> {
  const told = () => [...service.output().matchAll(/^work (\{.*\})$/gm)].map(([, json = ""]) => json);
  const before = told().length;
  service.child.kill("SIGUSR2");
  await expect.poll(() => told().length).toBe(before + 1);
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
  const headers = { ...request.headers, authorization: `Bearer ${cluster.keys.first}` };
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

/** Of every call the key's hash. */
const expected: Record<string, Work> = {
  // The blind index and the call's signature.
  "a page of cards": { ...nothing, providerCalls: 1, parses: 1, signatures: 2, hashes: 1 },
  // A commit before the call and one after it, each of one statement between its begin and its commit; a user's names,
  // their key, and the submission are sealed.
  "a submission": {
    ...{ commits: 2, statements: 6, providerCalls: 1, parses: 2 },
    ...{ signatures: 4, hashes: 2, sealed: 3, opened: 0 },
  },
  // It is sealed as a newcomer's before anyone knows that it is none.
  "a submission that is repeated": {
    ...nothing,
    ...{ commits: 2, statements: 9, parses: 1, signatures: 3, hashes: 1, sealed: 3 },
  },
  // One commit for the audit.
  "a record's result": { ...nothing, commits: 2, statements: 6, signatures: 1, hashes: 1 },
};
const queries = ["a page of cards", "a record's result"];

/**
 * Over tRPC a query's input is JSON as well, and every input is parsed twice: here, to hold it to its limits
 * before anything else is done, and by tRPC for itself, which takes text.
 */
function workFor(what: string, transport: string): Work {
  const work = expected[what] ?? nothing;
  if (transport === "REST") return work;
  return { ...work, parses: work.parses + (queries.includes(what) ? 2 : 1) };
}

describe.each(["REST", "tRPC"])("over %s", (transport) => {
  let submission: Submission;
  beforeAll(async () => {
    // Connections are made and statements prepared with the first calls.
    for (let round = 0; round < 2; round += 1) {
      submission = cluster.newSubmission();
      await call(wayOf("kyc.submit", transport), submission);
      await call(wayOf("kyc.get", transport), { memberId: submission.memberId });
      await call(wayOf("cards.list", transport), { memberId: submission.memberId });
    }
  });

  it.each([
    ["a page of cards", "cards.list", () => ({ memberId: submission.memberId })],
    ["a submission", "kyc.submit", () => cluster.newSubmission()],
    ["a submission that is repeated", "kyc.submit", () => submission],
    ["a record's result", "kyc.get", () => ({ memberId: submission.memberId })],
  ] as const)("%s", async (what, id, input) => {
    expect(await workOf(wayOf(id, transport), input())).toEqual(workFor(what, transport));
  });
});

it("where nothing is held, a page of cards looks for the key and for the user as well", async () => {
  const submission = cluster.newSubmission();
  service = await counting({ LOOKUP_CACHE_SECONDS: "0" });
  await call(wayOf("kyc.submit", "REST"), submission);
  const list = () => workOf(wayOf("cards.list", "REST"), { memberId: submission.memberId });
  await list();
  expect(await list()).toEqual({ ...workFor("a page of cards", "REST"), commits: 1, statements: 4 });
});
