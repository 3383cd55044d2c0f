import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { ids } from "../../src/composition/ids.ts";
import { errorMapping } from "../../src/errors/mapping.ts";
import { openStage, type Service, type Stage } from "../faults/stage.ts";
import { markedSubmission, type Submission } from "../faults/submission.ts";
import { inputOf, namesIn, questionsOf } from "../support/names.ts";
import { type Way, wayOf, ways } from "../support/ways.ts";

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

interface Question {
  input: object;
  headers?: Record<string, string>;
}

let stage: Stage;
let service: Service;
let theirs: Names;
let ours: Names;
beforeAll(async () => {
  stage = await openStage(inject("postgres"), Math.random);
  // What is left of an allowance differs from call to call.
  service = await stage.service({
    env: { RATE_LIMIT_READS: "unlimited", RATE_LIMIT_SUBMISSIONS: "unlimited" },
  });
  theirs = await submitted("first");
  ours = await submitted("second");
});
afterAll(() => stage.close());

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

async function submitted(platform: keyof Stage["keys"]): Promise<Names> {
  const { memberId, email, idempotencyKey } = nobodys();
  const input = { ...newSubmission(), memberId, email };
  const { body } = await ask(
    wayOf("kyc.submit", "REST"),
    { input, headers: { "idempotency-key": idempotencyKey } },
    platform,
  );
  const { kycRecordId, externalUserId } = JSON.parse(body);
  return { memberId, email, idempotencyKey, kycRecordId, externalUserId };
}

/** What a caller gets for a question, and what was done for it. */
async function ask(way: Way, { input, headers }: Question, platform: keyof Stage["keys"] = "second") {
  const { path, ...request } = way.request({ ...input });
  const before = [service.database.statements(), service.provider.seen.length];
  const response = await fetch(`${service.url}${path}`, {
    ...request,
    headers: { ...request.headers, ...headers, authorization: `Bearer ${stage.keys[platform]}` },
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

// Who looks after all platforms may know all of them.
const ofPlatforms = ways.filter(({ operation }) => !operation.scopes.includes("admin"));
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

  it.each(queries)("$operation.id over $transport: it has a name", ({ operation }) => {
    expect(namesIn(operation)).not.toEqual([]);
  });
});

const asked = queries.flatMap((way) =>
  questionsOf(way.operation)
    .filter(({ field, others }) => [field, ...others].every(isName))
    .map((question) => ({ way, ...question, id: way.operation.id, transport: way.transport })),
);

describe.each(asked)("$id over $transport by $field", ({ way, field, others }) => {
  it("finds what is the caller's own", async () => {
    const input = inputOf(way.operation, pick(theirs, [field, ...others]));
    expect(await ask(way, { input }, "first")).toMatchObject({ status: 200 });
  });

  it.each(names)("answers another platform's %s as nobody's", async (name) => {
    const { status } = await expectAlike(way, theirs, (of) => ({
      input: inputOf(way.operation, { ...pick(ours, others), [field]: of[name] }),
    }));
    expect([400, 404]).toContain(status);
    if (name === field) expect(status).toBe(404);
  });
});

/** Every place of a mutation where a name can stand, alone and together with all others. */
function changesOf({ operation }: Way): Record<string, (of: Names) => Question> {
  const fields = namesIn(operation).filter(isName);
  const accepts = (field: string, value: string) =>
    operation.input instanceof z.ZodObject && operation.input.shape[field]?.safeParse(value).success === true;
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

const changed = mutations.flatMap((way) =>
  Object.entries(changesOf(way)).map(([name, make]) => ({
    way,
    name,
    make,
    id: way.operation.id,
    transport: way.transport,
  })),
);

describe.each(changed)("$id over $transport under another platform's $name", ({ way, make }) => {
  it("is answered as under nobody's", async () => {
    // What was asked under a name before is the asking platform's own by now.
    const { status, statements, calls } = await expectAlike(way, await submitted("first"), make);
    const finds = way.operation.errors.some((code) => errorMapping[code].status === 404);
    expect(status).toBe(finds ? 404 : 200);
    expect(statements).toBeGreaterThan(0);
    if (way.operation.id === "kyc.submit") expect(calls).toBe(1);
  });
});

it("a submission is asked under every name that it has", () => {
  expect(Object.keys(changesOf(wayOf("kyc.submit", "REST")))).toEqual(
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
  const known = await ask(wayOf("cards.list", "REST"), { input: { memberId: theirs.memberId } }, "first");
  const unknown = await ask(wayOf("cards.list", "REST"), { input: { memberId: theirs.memberId } });
  expect([known.calls, unknown.calls]).toEqual([1, 0]);
  expect(unknown.statements).toBe(4);
});
