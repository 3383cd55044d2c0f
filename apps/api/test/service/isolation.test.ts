import { randomBytes } from "node:crypto";
import { parseInput } from "@cardbridge/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../src/admission/api-key.ts";
import { ids } from "../../src/boot/ports.ts";
import { errorMapping } from "../../src/http/errors/mapping.ts";
import { askedRecord } from "../support/asked-record.ts";
import { type Binding, bindingOf, bindings } from "../support/bindings.ts";
import { inputOf, namesIn, questionsOf } from "../support/names.ts";
import { type ProxiedService, startProxiedService } from "../support/proxied-service.ts";
import { newSubmission } from "../support/test-service.ts";

/*
 * Tenant isolation: for another platform's identifiers, the response equals that for missing ones, and so does the
 * amount of work.
 */

/** The identifiers of a platform's data. */
interface Names {
  memberId: string;
  email: string;
  kycRecordId: string;
  documentRequestId: string;
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

type Platform = keyof typeof demoKeys;

let service: ProxiedService;
let theirs: Names;
let ours: Names;
beforeAll(async () => {
  service = await startProxiedService();
  theirs = { ...(await userOf("first")), ...(await webhookOf("first")) };
  ours = { ...(await userOf("second")), ...(await webhookOf("second")) };
});
afterAll(() => service.stop());

/** Identifiers in the same format that do not exist. */
function nobodys(): Names {
  const { memberId, email } = newSubmission();
  const idempotencyKey = randomBytes(8).toString("hex");
  return {
    memberId,
    email,
    idempotencyKey,
    kycRecordId: ids.kycRecordId(),
    documentRequestId: ids.documentRequestId(),
    externalUserId: ids.externalUserId(),
    cardId: `card_${randomBytes(12).toString("hex")}`,
    endpointId: `whe_${randomBytes(13).toString("hex")}`,
    deliveryId: `whd_${randomBytes(13).toString("hex")}`,
  };
}

type Webhook = Pick<Names, "endpointId" | "deliveryId">;

/** The names of a new user with a card. */
async function userOf(platform: Platform): Promise<Omit<Names, keyof Webhook>> {
  const { memberId, email, idempotencyKey } = nobodys();
  const input = { ...newSubmission(), memberId, email };
  const question = { input, headers: keyOf(idempotencyKey) };
  const { kycRecordId, externalUserId } = JSON.parse((await ask(submitOverRest, question, platform)).body);
  const cards = await ask(bindingOf("cards.list", "REST"), { input: { memberId } }, platform);
  const { cardId } = JSON.parse(cards.body).items[0];
  const caller = {
    key: demoKeys[platform],
    fetch: (path: string, init?: RequestInit) => fetch(service.url + path, init),
  };
  const { documentRequestId } = await askedRecord(caller);
  return { memberId, email, idempotencyKey, kycRecordId, documentRequestId, externalUserId, cardId };
}

/** A new endpoint with a delivery. */
async function webhookOf(platform: Platform): Promise<Webhook> {
  const call = async (id: string, input: object) => {
    const { status, body } = await ask(bindingOf(id, "REST"), { input }, platform);
    expect([id, Math.floor(status / 100)]).toEqual([id, 2]);
    return JSON.parse(body);
  };
  const endpoint = { url: "https://hooks.example.com/", eventTypes: ["card.updated"] };
  const { endpointId } = await call("webhooks.create", endpoint);
  const { deliveryId } = await call("webhooks.test", { endpointId });
  return { endpointId, deliveryId };
}

/** The response to a call, and the number of its statements and calls to the provider. */
async function ask(binding: Binding, { input, headers }: Question, platform: Platform = "second") {
  const { path, ...request } = binding.request({ ...input });
  const before = [service.database.statements(), service.provider.seen.length];
  const response = await fetch(`${service.url}${path}`, {
    ...request,
    headers: { ...request.headers, ...headers, authorization: `Bearer ${demoKeys[platform]}` },
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

type Answer = ReturnType<typeof withoutNew>;
const answersForNobody = new Map<string, Promise<Answer>>();

/** Expects the same response to another platform's name as to a name that does not exist. */
async function expectAlike(binding: Binding, place: string, of: Names, make: (of: Names) => Question) {
  const at = `${binding.operation.id} ${binding.transport} ${place}`;
  const forNobody = answersForNobody.get(at) ?? ask(binding, make(nobodys())).then(withoutNew);
  answersForNobody.set(at, forNobody);
  const expected = await forNobody;
  const foreign = withoutNew(await ask(binding, make(of)));
  expect(foreign).toEqual(expected);
  return foreign;
}

// Operators have access to all platforms.
const ofPlatforms = bindings.filter(({ operation }) => operation.reach === undefined);
const queries = ofPlatforms.filter(({ operation }) => operation.kind === "read");
const mutations = ofPlatforms.filter(({ operation }) => operation.kind === "write");
const submitOverRest = bindingOf("kyc.submit", "REST");
const keyOf = (key: string) => ({ "idempotency-key": key });
const names = Object.keys(nobodys()) as (keyof Names)[];
const isName = (field: string): field is keyof Names => names.includes(field as keyof Names);
const pick = (of: Names, fields: readonly string[]) =>
  Object.fromEntries(fields.filter(isName).map((field) => [field, of[field]]));

it.each(ofPlatforms)("$operation.id has only names that this test covers", ({ operation }) => {
  const missing = namesIn(operation).filter((field) => !isName(field));
  expect(missing, "Add it to Names, and have userOf() or webhookOf(), and nobodys() return it.").toEqual([]);
});

const asked = queries.flatMap((binding) =>
  questionsOf(binding.operation)
    .filter(({ field, others }) => [field, ...others].every(isName))
    .map((question) => ({ binding, ...question, id: binding.operation.id, transport: binding.transport })),
);

describe.each(asked)("$id over $transport by $field", ({ binding, field, others }) => {
  it("finds the caller's own data", async () => {
    const input = inputOf(binding.operation, pick(theirs, [field, ...others]));
    expect(await ask(binding, { input }, "first")).toMatchObject({ status: 200 });
  });

  const inputWith = (value: string) => inputOf(binding.operation, { ...pick(ours, others), [field]: value });
  // Invalid input is rejected before any look-up. Other kinds of names are sent over one transport.
  const accepted = names.filter((name) => {
    if (binding.transport === "tRPC" && name !== field) return false;
    const { input, rules } = binding.operation;
    const beside = pick(nobodys(), others);
    return parseInput(input, rules, inputOf(binding.operation, { ...beside, [field]: nobodys()[name] })).ok;
  });

  it.each(accepted)("responds to another platform's %s as to an unknown name", async (name) => {
    const { status } = await expectAlike(binding, field, theirs, (of) => ({ input: inputWith(of[name]) }));
    expect(status).toBe(404);
  });

  it("accepts its own kind of name", () => expect(accepted).toContain(field));
});

interface Change {
  name: string;
  /** The field that contains the name, or the key. */
  place: string;
  make(of: Names): Question;
}

/**
 * Every field of a mutation that can contain a name, alone and together with all others. Other kinds of names are sent
 * over one transport.
 */
function changesOf({ operation, transport }: Binding): Change[] {
  const fields = namesIn(operation).filter(isName);
  const example = operation.example.input as object;
  const accepts = (field: string, value: string) =>
    parseInput(operation.input, [], { ...example, [field]: value }).ok;
  const input = (values: object) => ({ ...example, ...pick(nobodys(), fields), ...values });
  const asField = fields.flatMap((field) =>
    names
      .filter((name) => accepts(field, nobodys()[name]) && (transport === "REST" || name === field))
      .map((name) => ({
        name,
        place: field,
        make: (of: Names) => ({ input: input({ [field]: of[name] }) }),
      })),
  );
  const inKey = transport === "REST" ? names : (["idempotencyKey"] as const);
  const asKey = inKey.map((name) => ({
    name,
    place: "a key",
    make: (of: Names) => ({ input: input({}), headers: keyOf(of[name]) }),
  }));
  const all = (of: Names) => ({ input: input(pick(of, fields)) });
  const allAndKey = (of: Names) => ({ ...all(of), headers: keyOf(of.idempotencyKey) });
  return [
    ...asField,
    ...(fields.length > 1 ? [{ name: "names", place: "all of them", make: all }] : []),
    ...(operation.idempotent
      ? [...asKey, { name: "names", place: "all of them and a key", make: allAndKey }]
      : []),
  ];
}

const changed = mutations.flatMap((binding) =>
  changesOf(binding).map((change) => ({
    ...change,
    binding,
    id: binding.operation.id,
    transport: binding.transport,
  })),
);

describe.each(changed)("$id over $transport under another platform's $name as $place", (change) => {
  const { binding, name, place, make } = change;
  it("responds as to an unknown name", async () => {
    const { id, errors } = binding.operation;
    const finds = errors.some((code) => errorMapping[code].status === 404);
    // A submitted name belongs to the submitting platform from then on.
    const isKept = id === "kyc.submit";
    const ofWebhook = isKept && (name === "endpointId" || name === "deliveryId");
    const fresh = isKept && { ...(await userOf("first")), ...(ofWebhook && (await webhookOf("first"))) };
    // An operation without a look-up can respond according to the name's format.
    const at = finds ? place : `${name} as ${place}`;
    const { status, statements, calls } = await expectAlike(binding, at, { ...theirs, ...fresh }, make);
    expect(status).toBe(finds ? 404 : 200);
    expect(statements).toBeGreaterThan(0);
    if (isKept) expect(calls).toBe(1);
  });
});
