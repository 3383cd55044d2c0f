import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { ids } from "../../src/composition/ids.ts";
import { markedSubmission, type Submission } from "../faults/clients/marked-submission.ts";
import { type Cluster, startCluster } from "../faults/cluster/cluster.ts";
import type { Service } from "../faults/cluster/service.ts";
import { type Binding, bindings } from "../support/bindings.ts";

/*
 * Tenant isolation: for another platform's identifiers, the response equals that for missing ones, and so does the
 * amount of work.
 */

/** The identifiers of a platform's data. */
interface Names {
  memberId: string;
  email: string;
  kycRecordId: string;
  externalUserId: string;
  idempotencyKey: string;
}

/** Input fields that are identifiers, and fields that are not. A new field must be added to one list. */
const naming = ["memberId", "email", "kycRecordId"];
const notNaming = ["status", "page", "pageSize"];

interface Question {
  input: object;
  headers?: Record<string, string>;
}

/** Examples of mutations with identifiers. A new mutation must be added here. */
const changes: Record<string, (names: Names) => Record<string, Question>> = {
  // Their inputs contain no identifiers; files.test.ts covers files.
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
  // The rate-limit headers differ between calls.
  service = await cluster.startService({
    env: { RATE_LIMIT_READS: "unlimited", RATE_LIMIT_SUBMISSIONS: "unlimited" },
  });
  theirs = await submitted("first");
  await submitted("second");
});
afterAll(() => cluster.close());

const newSubmission = (): Submission => markedSubmission(randomBytes(6).toString("hex"), "approved");

/** Identifiers in the same format that do not exist. */
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

const wayOf = (id: string) => bindings.find(({ operation }) => operation.id === id) as Binding;

/** A response, and the work for it. */
async function ask(
  binding: Binding,
  { input, headers }: Question,
  platform: keyof Cluster["keys"] = "second",
) {
  const { path, ...request } = binding.request({ ...input });
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

/** Removes the values that differ between responses. */
const withoutNew = ({ body, ...answer }: Awaited<ReturnType<typeof ask>>) => ({
  ...answer,
  body: body.replace(/\b(req|kyc|usr|acct|card)_[0-9a-z]+/g, "$1_…"),
});

async function expectAlike(binding: Binding, names: Names, make: (names: Names) => Question) {
  const foreign = withoutNew(await ask(binding, make(names)));
  expect(foreign).toEqual(withoutNew(await ask(binding, make(nobodys()))));
  return foreign;
}

const fieldsOf = ({ operation: { input } }: Binding) =>
  input instanceof z.ZodObject ? Object.keys(input.shape) : [];
// Operators may access all platforms.
const ofPlatforms = bindings.filter(({ operation }) => !operation.scopes.includes("admin"));
const queries = ofPlatforms.filter(({ operation }) => operation.kind === "query");
const mutations = ofPlatforms.filter(({ operation }) => operation.kind === "mutation");

describe("every operation is covered", () => {
  it.each(queries)("$operation.id over $transport: its fields are classified", (binding) => {
    expect(fieldsOf(binding).filter((name) => !naming.includes(name) && !notNaming.includes(name))).toEqual(
      [],
    );
    expect(fieldsOf(binding).some((name) => naming.includes(name))).toBe(true);
  });

  it.each(mutations)("$operation.id over $transport: it has examples", ({ operation }) => {
    expect(Object.keys(changes)).toContain(operation.id);
  });
});

const asked = queries.flatMap((binding) =>
  fieldsOf(binding)
    .filter((field) => naming.includes(field))
    .map((field) => ({ binding, field, id: binding.operation.id, transport: binding.transport })),
);

describe.each(asked)("$id over $transport by $field", ({ binding, field }) => {
  it("finds the caller's own data", async () => {
    const input = { [field]: theirs[field as keyof Names] };
    expect(await ask(binding, { input }, "first")).toMatchObject({ status: 200 });
  });

  it.each(["memberId", "email", "kycRecordId", "externalUserId", "idempotencyKey"] as const)(
    "answers another platform's %s as nobody's",
    async (name) => {
      const { status } = await expectAlike(binding, theirs, (names) => ({ input: { [field]: names[name] } }));
      expect([400, 404]).toContain(status);
      if (name === field) expect(status).toBe(404);
    },
  );
});

const changed = mutations.flatMap((binding) =>
  Object.keys(changes[binding.operation.id]?.(nobodys()) ?? {}).map((name) => ({
    binding,
    name,
    id: binding.operation.id,
    transport: binding.transport,
  })),
);

describe.each(changed)("$id over $transport with $name of another platform", ({ binding, name }) => {
  it("responds as for an unknown one", async () => {
    // Earlier calls created the identifiers in the calling platform.
    const { status, statements, calls } = await expectAlike(
      binding,
      await submitted("first"),
      (names) => changes[binding.operation.id]?.(names)[name] as Question,
    );
    expect([status, calls]).toEqual([200, 1]);
    expect(statements).toBeGreaterThan(0);
  });
});

it("the work of a response is counted", async () => {
  const known = await ask(wayOf("cards.list"), { input: { memberId: theirs.memberId } }, "first");
  const unknown = await ask(wayOf("cards.list"), { input: { memberId: theirs.memberId } });
  expect([known.calls, unknown.calls]).toEqual([1, 0]);
  expect(unknown.statements).toBe(4);
});
