import { randomBytes } from "node:crypto";
import { exampleSubmission, listOperations, listProcedures, type Operation } from "@cardbridge/operations";
import { putApiKey } from "@cardbridge/store";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mintKey } from "../../src/api-keys/api-key.ts";
import { restSubmit } from "../support/call.ts";
import { sampleImage } from "../support/samples.ts";
import { startTestService } from "../support/test-service.ts";
import { createdEndpoint } from "../support/webhooks.ts";
import { type Actor, actors } from "./actors.ts";
import { type Binding, batches, bindings, operations } from "./calls.ts";
import { type Defect, defectsOf } from "./defects.ts";
import { exchange, type WireAnswer } from "./exchange.ts";
import { judge } from "./judge.ts";
import { makeKeys, platformId } from "./keys.ts";
import type { Message } from "./message.ts";
import { openStores, type Stores } from "./stores.ts";
import { entriesOf, firstOf, notFound, wordsOf } from "./verdict.ts";

/**
 * Every route and procedure × every caller × every defect, each with its expected response. The interface's procedures
 * are also called in a batch. New operations are included automatically.
 */

let service: Awaited<ReturnType<typeof startTestService>>;
let stores: Stores;
/** A superuser, whom row-level security does not hold. */
let admin: Client;
let kycRecordId = "";
let webhook: Awaited<ReturnType<typeof createdEndpoint>>;
/** A demo user who is in no example. */
const externalUserId = "usr_7pd1m9x3c6k0t5w2rnvq8hzb4e";

beforeAll(async () => {
  const unlimited = { RATE_LIMIT_READS: "unlimited", RATE_LIMIT_SUBMISSIONS: "unlimited" };
  service = await startTestService({ events: false, env: { ...unlimited, FILE_MAX_BYTES: "60000" } });
  await makeKeys(service.adminUrl);
  const { body } = await restSubmit(service.caller(), exampleSubmission.input);
  kycRecordId = (body as { kycRecordId: string }).kycRecordId;
  webhook = await createdEndpoint(service.caller());
  stores = await openStores(service.adminUrl);
  admin = new Client({ connectionString: service.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await stores.close();
  await admin.end();
  await service.stop();
});

/** An operation's example with existing data. */
async function rightInput(binding: Binding): Promise<Record<string, unknown>> {
  const { operation } = binding;
  const example = operation.example.input as Record<string, unknown>;
  const { memberId, ...names } = newNames();
  const known: Record<string, unknown> = {
    // What creates somebody is about somebody new; what finds is about the demo data, or the example submission.
    ...(operation.kind === "mutation" ? names : {}),
    ...(notFound(binding) ? {} : { memberId }),
    kycRecordId,
    file: sampleImage,
    platformId,
    externalUserId,
    // A name has at most two live keys, so each key can be rotated once.
    name: `name-${randomBytes(6).toString("hex")}`,
    keyId: "keyId" in example ? await newKey() : undefined,
    ...(await webhookNames(operation)),
  };
  return Object.fromEntries(Object.entries(example).map(([field, value]) => [field, known[field] ?? value]));
}

function newNames() {
  const name = `n-${randomBytes(6).toString("hex")}`;
  return { memberId: name, email: `${name}+approved@example.com` };
}

/** The only key whose name is its id: each look at the stores reads every key. */
async function newKey(): Promise<string> {
  await admin.query("delete from api_keys where name = id");
  const { hash, prefix } = mintKey("live");
  const keyId = `key_${randomBytes(13).toString("hex")}`;
  await putApiKey(service.adminUrl, { keyId, platformId, name: keyId, prefix, hash, scopes: ["cards:read"] });
  return keyId;
}

/** The names of an endpoint and a delivery. A call may delete the endpoint or create another, and ten are the most. */
async function webhookNames({ id }: Operation) {
  if (id !== "webhooks.create" && id !== "webhooks.delete") return webhook;
  await admin.query("delete from webhook_endpoints where id <> $1", [webhook.endpointId]);
  return id === "webhooks.delete" ? createdEndpoint(service.caller()) : webhook;
}

async function callOf(binding: Binding, actor: Actor, { input, mutate }: Defect): Promise<Message> {
  const right = await rightInput(binding);
  if (binding.operation.errors.includes("KYC_RECORD_CONFLICT")) await unsettle();
  const message: Message = {
    operation: binding.name,
    ...binding.write(input ? input(right) : right),
    version: "HTTP/1.1",
    headers: [
      ["Host", "a"],
      ["Content-Type", binding.contentType],
      ["Connection", "close"],
      ...actor.headers(binding),
    ],
    hasKey: actor.verdict(binding)?.stage !== "key",
    isWhole: true,
    pieces: 1,
    damage: [],
  };
  return mutate ? mutate(message) : message;
}

/** Operators ask for, resend and settle unsettled records. */
async function unsettle(): Promise<void> {
  await admin.query(
    `update kyc_records set settlement = 'unsettled', status = null, sub_status = null, card_account_id = null,
       revision = null, step = 'ask', due_at = now() + interval '1 day', lease_until = null, held_at = null where id = $1`,
    [kycRecordId],
  );
}

function outcomeOf({ status, body }: WireAnswer): string {
  if (status < 300) return "success";
  const [json] = [JSON.parse(body)].flat();
  return `${status} ${(json.error?.data.problem ?? json).code}`;
}

/** Queries run first, before the other platform's submissions. */
const ordered = [...bindings, ...batches.filter(({ operation }) => operation.documented)].sort((a, b) =>
  b.operation.kind.localeCompare(a.operation.kind),
);

describe.each(ordered.map((binding) => [binding.name, binding] as const))("%s", (_name, binding) => {
  it.each(actors)("called by $name", async (actor) => {
    const cells: Record<string, { wanted: string; got: string }> = {};
    for (const defect of defectsOf(binding)) {
      const message = await callOf(binding, actor, defect);
      const before = [await stores.look(), await stores.countAuditEntries()] as const;
      const answers = await exchange(service.url, message);
      judge(message, answers);
      const verdict = firstOf(actor.verdict(binding), defect.verdict);
      cells[defect.name] = { wanted: wordsOf(verdict), got: answers.map(outcomeOf).join() };
      const written = [defect.name, await stores.look(), await stores.countAuditEntries()];
      if (verdict) expect(written).toEqual([defect.name, before[0], before[1] + entriesOf(verdict, binding)]);
    }
    expect(Object.entries(cells).filter(([, { wanted, got }]) => wanted !== got)).toEqual([]);
    expect(Object.keys(cells).length).toBeGreaterThanOrEqual(8);
  });
});

it("contains every procedure, and a route or a procedure for every operation with keys", () => {
  const forKeys = ({ actors }: Operation) => actors.includes("internal") || actors.includes("platform");
  // A file is read at its own URL.
  const all = listOperations(operations).filter((one) => forKeys(one) && one.id !== "files.read");
  const overTrpc = bindings.filter(({ name }) => name.startsWith("tRPC"));
  expect(overTrpc.map(({ operation }) => operation)).toEqual(listProcedures(operations));
  expect(new Set(bindings.map(({ operation }) => operation.id))).toEqual(new Set(all.map(({ id }) => id)));
});
