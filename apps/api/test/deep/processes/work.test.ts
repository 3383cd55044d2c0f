import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Binding, bindings } from "../../support/bindings.ts";
import type { Submission } from "../faults/clients/marked-submission.ts";
import { type Cluster, startCluster } from "../faults/cluster/cluster.ts";
import type { Service } from "../faults/cluster/service.ts";

/**
 * The work of one request, counted in the real process, as a guard against unintended work. Unlike times, the counts
 * are equal on every machine.
 */
const preload = new URL("count-work.mjs", import.meta.url).href;

let cluster: Cluster;
let service: Service;
beforeAll(async () => {
  cluster = await startCluster(inject("postgres"), Math.random);
  service = await counting();
});
afterAll(() => cluster.close());

/** Without a cache, because its contents depend on the time. */
const counting = () =>
  cluster.startService({
    env: { NODE_OPTIONS: `--import=${preload}`, DATABASE_CONNECTIONS: "2", LOOKUP_CACHE_SECONDS: "0" },
  });

interface Work {
  commits: number;
  statements: number;
  providerCalls: number;
  parses: number;
  signatures: number;
  hashes: number;
  encrypted: number;
  decrypted: number;
}

/** The counts of the process. */
async function ownCounts(): Promise<Record<string, number>> {
  const printed = () => [...service.output().matchAll(/^work (\{.*\})$/gm)].map(([, json = ""]) => json);
  const before = printed().length;
  service.child.kill("SIGUSR2");
  await expect.poll(() => printed().length).toBe(before + 1);
  return JSON.parse(printed().at(-1) ?? "");
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
  bindings.find((binding) => binding.operation.id === id && binding.transport === transport) as Binding;

async function call(binding: Binding, input: object): Promise<void> {
  const { path, ...request } = binding.request({ ...input });
  const headers = { ...request.headers, authorization: `Bearer ${cluster.keys.first}` };
  const response = await fetch(`${service.url}${path}`, { ...request, headers });
  expect(response.status).toBe(200);
  await response.text();
}

async function workOf(binding: Binding, input: object): Promise<Work> {
  const before = await look();
  await call(binding, input);
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
  encrypted: 0,
  decrypted: 0,
};

/** Every call hashes its key, and looks it up in one statement. */
const expected: Record<string, Work> = {
  // The user in a transaction; the blind index and the call's signature.
  "a page of cards": {
    ...nothing,
    commits: 1,
    statements: 4,
    providerCalls: 1,
    parses: 1,
    signatures: 2,
    hashes: 1,
  },
  // One commit before the provider call and one after it, each with one statement. The user's identifiers, the data key
  // and the submission are encrypted. A signature is the fingerprint that the provider keeps.
  "a submission": {
    commits: 2,
    statements: 7,
    providerCalls: 1,
    parses: 2,
    signatures: 5,
    hashes: 2,
    encrypted: 3,
    decrypted: 0,
  },
  // The submission is encrypted for a new user before the user is found. A statement looks for a restored execution.
  "a submission that is repeated": {
    ...nothing,
    commits: 2,
    statements: 11,
    parses: 1,
    signatures: 4,
    hashes: 1,
    encrypted: 3,
  },
  // One commit for the audit entry. The database returns the requests for documents as JSON.
  "a record's result": { ...nothing, commits: 2, statements: 7, parses: 1, signatures: 1, hashes: 1 },
};
const queries = ["a page of cards", "a record's result"];

/**
 * Over tRPC, a query's input is JSON as well, and every input is parsed twice: by the service's input guard, and by
 * tRPC itself.
 */
function workFor(what: string, transport: string): Work {
  const work = expected[what] ?? nothing;
  if (transport === "REST") return work;
  return { ...work, parses: work.parses + (queries.includes(what) ? 2 : 1) };
}

describe.each(["REST", "tRPC"])("over %s", (transport) => {
  let submission: Submission;
  beforeAll(async () => {
    // The first calls open connections and prepare statements.
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
  ] as const)("%s does the expected work", async (what, id, input) => {
    expect(await workOf(wayOf(id, transport), input())).toEqual(workFor(what, transport));
  });
});
