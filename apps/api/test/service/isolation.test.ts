import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { ids } from "../../src/composition/ids.ts";
import { markedSubmission, type Submission } from "../faults/clients/marked-submission.ts";
import { type Cluster, startCluster } from "../faults/cluster/cluster.ts";
import type { Service } from "../faults/cluster/service.ts";
import { type Way, ways } from "../support/ways.ts";

/*
 * Whatever a platform asks under the name of something that is another platform's: the answer is the one for what
 * there is not, to the letter, and so is the work for it.
 */

/** Everything that something of a platform is called by. */
interface Names {
  memberId: string;
  email: string;
  kycRecordId: string;
  externalUserId: string;
  idempotencyKey: string;
}

/** Fields of inputs that are such a name, and fields that are none. A new field belongs to one of them. */
const naming = ["memberId", "email", "kycRecordId"];
const notNaming = ["status", "page", "pageSize"];

interface Question {
  input: object;
  headers?: Record<string, string>;
}

/** What names can stand in where an operation changes something. A new one needs an example here. */
const changes: Record<string, (names: Names) => Record<string, Question>> = {
  // Nothing that they are given is anybody's name; files themselves are in files.test.ts.
  "files.upload": () => ({}),
  "files.createUploadUrl": () => ({}),
  "kyc.submit": ({ memberId, email, kycRecordId, externalUserId, idempotencyKey }) => ({
    "a member id": { input: { ...newSubmission(), memberId } },
    "an e-mail": { input: { ...newSubmission(), email } },
    both: { input: { ...newSubmission(), memberId, email } },
    "an Idempotency-Key": { input: newSubmission(), headers: { "idempotency-key": idempotencyKey } },
    "all of them": {
      input: { ...newSubmission(), memberId, email },
      headers: { "idempotency-key": idempotencyKey },
    },
    "a record's id as a key": { input: newSubmission(), headers: { "idempotency-key": kycRecordId } },
    "a user's id as a member id": { input: { ...newSubmission(), memberId: externalUserId } },
  }),
};

let cluster: Cluster;
let service: Service;
let theirs: Names;
beforeAll(async () => {
  cluster = await startCluster(inject("postgres"), Math.random);
  // What is left of an allowance differs from call to call.
  service = await cluster.startService({
    env: { RATE_LIMIT_READS: "unlimited", RATE_LIMIT_SUBMISSIONS: "unlimited" },
  });
  theirs = await submitted("first");
  await submitted("second");
});
afterAll(() => cluster.close());

const newSubmission = (): Submission => markedSubmission(randomBytes(6).toString("hex"), "approved");

/** Names that look the same, and are nobody's. */
function nobodys(): Names {
  const { memberId, email } = newSubmission();
  const idempotencyKey = randomBytes(8).toString("hex");
  return {
    memberId,
    email,
    idempotencyKey,
    kycRecordId: ids.kycRecordId(),
    externalUserId: ids.externalUserId(),
  };
}

async function submitted(platform: keyof Cluster["keys"]): Promise<Names> {
  const { memberId, email, idempotencyKey } = nobodys();
  const input = { ...newSubmission(), memberId, email };
  const { body } = await ask(
    wayOf("kyc.submit"),
    { input, headers: { "idempotency-key": idempotencyKey } },
    platform,
  );
  const { kycRecordId, externalUserId } = JSON.parse(body);
  return { memberId, email, idempotencyKey, kycRecordId, externalUserId };
}

const wayOf = (id: string) => ways.find(({ operation }) => operation.id === id) as Way;

/** What a caller gets for a question, and what was done for it. */
async function ask(way: Way, { input, headers }: Question, platform: keyof Cluster["keys"] = "second") {
  const { path, ...request } = way.request({ ...input });
  const before = [service.database.statements(), service.provider.seen.length];
  const response = await fetch(`${service.url}${path}`, {
    ...request,
    headers: { ...request.headers, ...headers, authorization: `Bearer ${cluster.keys[platform]}` },
  });
  const body = await response.text();
  const after = [service.database.statements(), service.provider.seen.length];
  const [statements, calls] = after.map((count, index) => count - (before[index] ?? 0));
  const heads = [...response.headers].filter(([name]) => name !== "x-request-id" && name !== "date");
  return { status: response.status, headers: heads, body, statements, calls };
}

/** Without what is new in every answer. */
const withoutNew = ({ body, ...answer }: Awaited<ReturnType<typeof ask>>) => ({
  ...answer,
  body: body.replace(/\b(req|kyc|usr|acct|card)_[0-9a-z]+/g, "$1_…"),
});

async function expectAlike(way: Way, names: Names, make: (names: Names) => Question) {
  const foreign = withoutNew(await ask(way, make(names)));
  expect(foreign).toEqual(withoutNew(await ask(way, make(nobodys()))));
  return foreign;
}

const fieldsOf = ({ operation: { input } }: Way) =>
  input instanceof z.ZodObject ? Object.keys(input.shape) : [];
// Who looks after all platforms may know all of them.
const ofPlatforms = ways.filter(({ operation }) => !operation.scopes.includes("admin"));
const queries = ofPlatforms.filter(({ operation }) => operation.kind === "query");
const mutations = ofPlatforms.filter(({ operation }) => operation.kind === "mutation");

describe("every operation is asked", () => {
  it.each(queries)("$operation.id over $transport: its fields are names, or known to be none", (way) => {
    expect(fieldsOf(way).filter((name) => !naming.includes(name) && !notNaming.includes(name))).toEqual([]);
    expect(fieldsOf(way).some((name) => naming.includes(name))).toBe(true);
  });

  it.each(mutations)("$operation.id over $transport: it has examples", ({ operation }) => {
    expect(Object.keys(changes)).toContain(operation.id);
  });
});

const asked = queries.flatMap((way) =>
  fieldsOf(way)
    .filter((field) => naming.includes(field))
    .map((field) => ({ way, field, id: way.operation.id, transport: way.transport })),
);

describe.each(asked)("$id over $transport by $field", ({ way, field }) => {
  it("finds what is the caller's own", async () => {
    const input = { [field]: theirs[field as keyof Names] };
    expect(await ask(way, { input }, "first")).toMatchObject({ status: 200 });
  });

  it.each(["memberId", "email", "kycRecordId", "externalUserId", "idempotencyKey"] as const)(
    "answers another platform's %s as nobody's",
    async (name) => {
      const { status } = await expectAlike(way, theirs, (names) => ({ input: { [field]: names[name] } }));
      expect([400, 404]).toContain(status);
      if (name === field) expect(status).toBe(404);
    },
  );
});

const changed = mutations.flatMap((way) =>
  Object.keys(changes[way.operation.id]?.(nobodys()) ?? {}).map((name) => ({
    way,
    name,
    id: way.operation.id,
    transport: way.transport,
  })),
);

describe.each(changed)("$id over $transport under $name of another platform", ({ way, name }) => {
  it("is answered as under nobody's", async () => {
    // What was asked under a name before is the asking platform's own by now.
    const { status, statements, calls } = await expectAlike(
      way,
      await submitted("first"),
      (names) => changes[way.operation.id]?.(names)[name] as Question,
    );
    expect([status, calls]).toEqual([200, 1]);
    expect(statements).toBeGreaterThan(0);
  });
});

it("an answer takes work that is counted", async () => {
  const known = await ask(wayOf("cards.list"), { input: { memberId: theirs.memberId } }, "first");
  const unknown = await ask(wayOf("cards.list"), { input: { memberId: theirs.memberId } });
  expect([known.calls, unknown.calls]).toEqual([1, 0]);
  expect(unknown.statements).toBe(4);
});
