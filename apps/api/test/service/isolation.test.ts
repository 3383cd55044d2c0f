import { randomBytes } from "node:crypto";
import { maxWebhookEndpoints, parseInput } from "@cardbridge/domain";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ids } from "../../src/composition/ids.ts";
import { errorMapping } from "../../src/errors/mapping.ts";
import { markedSubmission, type Submission } from "../deep/faults/clients/marked-submission.ts";
import { type Cluster, startCluster } from "../deep/faults/cluster/cluster.ts";
import type { Service } from "../deep/faults/cluster/service.ts";
import { type Binding, bindingOf, bindings } from "../support/bindings.ts";
import { inputOf, namesIn, questionsOf } from "../support/names.ts";

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
  cardId: string;
  idempotencyKey: string;
  endpointId: string;
  deliveryId: string;
}

interface Question {
  input: object;
  headers?: Record<string, string>;
}

let cluster: Cluster;
let service: Service;
let theirs: Names;
let ours: Names;
beforeAll(async () => {
  cluster = await startCluster(inject("postgres"), Math.random);
  // The rate-limit headers differ between calls.
  service = await cluster.startService({
    env: { RATE_LIMIT_READS: "unlimited", RATE_LIMIT_SUBMISSIONS: "unlimited" },
  });
  theirs = await submitted("first");
  ours = await submitted("second");
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
    cardId: `card_${randomBytes(12).toString("hex")}`,
    endpointId: `whe_${randomBytes(13).toString("hex")}`,
    deliveryId: `whd_${randomBytes(13).toString("hex")}`,
  };
}

async function submitted(platform: keyof Cluster["keys"]): Promise<Names> {
  const { memberId, email, idempotencyKey } = nobodys();
  const input = { ...newSubmission(), memberId, email };
  const { body } = await ask(
    bindingOf("kyc.submit", "REST"),
    { input, headers: { "idempotency-key": idempotencyKey } },
    platform,
  );
  const { kycRecordId, externalUserId } = JSON.parse(body);
  const cards = await ask(bindingOf("cards.list", "REST"), { input: { memberId } }, platform);
  const { cardId } = JSON.parse(cards.body).items[0];
  return {
    memberId,
    email,
    idempotencyKey,
    kycRecordId,
    externalUserId,
    cardId,
    ...(await webhookOf(platform)),
  };
}

/** A new endpoint with a delivery. It replaces the last one of ten, because there are no more. */
async function webhookOf(platform: keyof Cluster["keys"]): Promise<Pick<Names, "endpointId" | "deliveryId">> {
  const call = async (id: string, input: object) =>
    JSON.parse((await ask(bindingOf(id, "REST"), { input }, platform)).body);
  const { endpoints } = await call("webhooks.list", {});
  const { endpointId: last } = endpoints.at(-1) ?? {};
  if (endpoints.length === maxWebhookEndpoints) await call("webhooks.delete", { endpointId: last });
  const { endpointId } = await call("webhooks.create", {
    url: "https://hooks.example.com/",
    eventTypes: ["card.updated"],
  });
  const { deliveryId } = await call("webhooks.test", { endpointId });
  return { endpointId, deliveryId };
}

/** What a caller gets for a question, and what was done for it. */
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
  body: body.replace(/\b(req|kyc|usr|acct|card|whe|whsec)_[0-9A-Za-z+/=]+/g, "$1_…"),
});

async function expectAlike(binding: Binding, names: Names, make: (names: Names) => Question) {
  const foreign = withoutNew(await ask(binding, make(names)));
  expect(foreign).toEqual(withoutNew(await ask(binding, make(nobodys()))));
  return foreign;
}

// Who looks after all platforms may know all of them.
const ofPlatforms = bindings.filter(({ operation }) => !operation.scopes.includes("admin"));
const queries = ofPlatforms.filter(({ operation }) => operation.kind === "query");
const mutations = ofPlatforms.filter(({ operation }) => operation.kind === "mutation");
const names = Object.keys(nobodys()) as (keyof Names)[];
const isName = (field: string): field is keyof Names => names.includes(field as keyof Names);
const pick = (of: Names, fields: readonly string[]) =>
  Object.fromEntries(fields.filter(isName).map((field) => [field, of[field]]));

describe("every operation is asked", () => {
  it.each(ofPlatforms)("$operation.id over $transport: each of its names is one of ours", ({ operation }) => {
    const missing = namesIn(operation).filter((field) => !isName(field));
    expect(missing, "Add it to Names, and have submitted() and nobodys() return it.").toEqual([]);
  });

  // What has no error of its own looks for nothing.
  const looking = queries.filter(({ operation }) => operation.errors.length > 0);
  it.each(looking)("$operation.id over $transport: it has a name", ({ operation }) => {
    expect(namesIn(operation)).not.toEqual([]);
  });
});

const asked = queries.flatMap((binding) =>
  questionsOf(binding.operation)
    .filter(({ field, others }) => [field, ...others].every(isName))
    .map((question) => ({ binding, ...question, id: binding.operation.id, transport: binding.transport })),
);

describe.each(asked)("$id over $transport by $field", ({ binding, field, others }) => {
  it("finds what is the caller's own", async () => {
    const input = inputOf(binding.operation, pick(theirs, [field, ...others]));
    expect(await ask(binding, { input }, "first")).toMatchObject({ status: 200 });
  });

  it.each(names)("answers another platform's %s as nobody's", async (name) => {
    const { status } = await expectAlike(binding, theirs, (of) => ({
      input: inputOf(binding.operation, { ...pick(ours, others), [field]: of[name] }),
    }));
    expect([400, 404]).toContain(status);
    if (name === field) expect(status).toBe(404);
  });
});

/** Every place of a mutation where a name can stand, alone and together with all others. */
function changesOf({ operation }: Binding): Record<string, (of: Names) => Question> {
  const fields = namesIn(operation).filter(isName);
  const accepts = (field: string, value: string) =>
    parseInput(operation.input, [], { ...(operation.example.input as object), [field]: value }).ok;
  const input = (values: object) => ({
    ...(operation.example.input as object),
    ...pick(nobodys(), fields),
    ...values,
  });
  const asField = fields.flatMap((field) =>
    names
      .filter((name) => accepts(field, nobodys()[name]))
      .map(
        (name) => [`${name} as ${field}`, (of: Names) => ({ input: input({ [field]: of[name] }) })] as const,
      ),
  );
  const asKey = names.map(
    (name) => [`${name} as a key`, (of: Names) => ({ input: input({}), headers: keyOf(of[name]) })] as const,
  );
  const all = (of: Names) => ({ input: input(pick(of, fields)) });
  const allAndKey = (of: Names) => ({ ...all(of), headers: keyOf(of.idempotencyKey) });
  return Object.fromEntries([
    ...asField,
    ...(fields.length > 1 ? [["all of them", all] as const] : []),
    ...(operation.idempotent ? [...asKey, ["all of them and a key", allAndKey] as const] : []),
  ]);
}

const keyOf = (key: string) => ({ "idempotency-key": key });

const changed = mutations.flatMap((binding) =>
  Object.entries(changesOf(binding)).map(([name, make]) => ({
    binding,
    name,
    make,
    id: binding.operation.id,
    transport: binding.transport,
  })),
);

describe.each(changed)("$id over $transport under another platform's $name", ({ binding, make }) => {
  it("is answered as under nobody's", async () => {
    // What was asked under a name before is the asking platform's own by now.
    const { status, statements, calls } = await expectAlike(binding, await submitted("first"), make);
    const finds = binding.operation.errors.some((code) => errorMapping[code].status === 404);
    expect(status).toBe(finds ? 404 : 200);
    expect(statements).toBeGreaterThan(0);
    if (binding.operation.id === "kyc.submit") expect(calls).toBe(1);
  });
});

it("a submission is asked under every name that it has", () => {
  expect(Object.keys(changesOf(bindingOf("kyc.submit", "REST")))).toEqual(
    expect.arrayContaining([
      "memberId as memberId",
      "externalUserId as memberId",
      "email as email",
      "all of them",
      "idempotencyKey as a key",
      "kycRecordId as a key",
      "all of them and a key",
    ]),
  );
});

it("an answer takes work that is counted", async () => {
  const known = await ask(bindingOf("cards.list", "REST"), { input: { memberId: theirs.memberId } }, "first");
  const unknown = await ask(bindingOf("cards.list", "REST"), { input: { memberId: theirs.memberId } });
  expect([known.calls, unknown.calls]).toEqual([1, 0]);
  expect(unknown.statements).toBe(4);
});
