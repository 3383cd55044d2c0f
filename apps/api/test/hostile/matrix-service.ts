import { randomBytes } from "node:crypto";
import { exampleSubmission, type Operation } from "@cardbridge/service";
import {
  createVerifiedKeys,
  identifyPersons,
  noLookupCache,
  openDatabase,
  putApiKey,
} from "@cardbridge/service/database";
import { Client } from "pg";
import { encryptionKeys } from "../../src/boot/options.ts";
import { readEnv } from "../../src/config/env.ts";
import { askedRecord } from "../support/asked-record.ts";
import { restSubmit } from "../support/call.ts";
import { generateKey } from "../support/generate-key.ts";
import { sampleImage } from "../support/samples.ts";
import { startTestService } from "../support/test-service.ts";
import { createdEndpoint } from "../support/webhooks.ts";
import { type Binding, operations } from "./calls.ts";
import { makeKeys, platformId } from "./keys.ts";
import { openStores } from "./stores.ts";
import { notFound } from "./verdict.ts";

/** A demo user who is in no example. */
const externalUserId = "usr_7pd1m9x3c6k0t5w2rnvq8hzb4e";

const holdId = "hold_of_matrix";
const pauseId = "pause_of_matrix";

export type MatrixService = Awaited<ReturnType<typeof startMatrixService>>;

/**
 * Starts the real service with every kind of key, a submission and a webhook, so that every operation has valid input.
 */
export async function startMatrixService() {
  const unlimited = {
    RATE_LIMIT_READS: "unlimited",
    RATE_LIMIT_WRITES: "unlimited",
    RATE_LIMIT_SUBMISSIONS: "unlimited",
  };
  const env = { ...unlimited, FILE_MAX_BYTES: "60000" };
  // Its calls pause the provider and platforms, which must not refuse the next calls.
  const service = await startTestService({ events: false, env, followsPauses: false });
  await makeKeys(service.adminUrl);
  await storeExamplePerson(service.serviceUrl);
  const { body } = await restSubmit(service.caller(), exampleSubmission.input);
  const { kycRecordId } = body as { kycRecordId: string };
  const asked = await askedRecord(service.caller());
  const webhook = await createdEndpoint(service.caller());
  const lastEventId = await presentPosition();
  const stores = await openStores(service.adminUrl);
  // A superuser bypasses row-level security.
  const admin = new Client({ connectionString: service.adminUrl });
  await admin.connect();
  await admin.query(
    "insert into holds (id, platform_id, user_id, reference, placed_by) values ($1, $2, $3, 'case-1', 'claim:ada')",
    [holdId, platformId, externalUserId],
  );

  async function presentPosition(): Promise<unknown> {
    const { key, fetch } = service.caller();
    const answer = await fetch("/trpc/kyc.listChanges?input={}", {
      headers: { authorization: `Bearer ${key}` },
    });
    return ((await answer.json()) as { result: { data: { lastEventId: unknown } } }).result.data.lastEventId;
  }

  /** Replaces the key that it created before, because each comparison of the stores reads every key. */
  async function newKey(): Promise<string> {
    await admin.query("delete from api_keys where name = id");
    const { hash, prefix } = generateKey("platform");
    const keyId = `key_${randomBytes(13).toString("hex")}`;
    const key = { keyId, platformId, name: keyId, prefix, hash, scopes: ["cards:read"] as const };
    await putApiKey(service.adminUrl, key);
    return keyId;
  }

  /** The ids of an endpoint and a delivery. A call can delete the endpoint or create one, and the limit is ten. */
  async function webhookNames({ id }: Operation) {
    if (id !== "webhooks.create" && id !== "webhooks.delete") return webhook;
    await admin.query("delete from webhook_endpoints where id <> $1", [webhook.endpointId]);
    return id === "webhooks.delete" ? createdEndpoint(service.caller()) : webhook;
  }

  /** An open proposal, instead of the one before. */
  async function newProposal(): Promise<string> {
    await admin.query("delete from proposals");
    const { rows } = await admin.query<{ id: string }>(
      `insert into proposals (id, platform_id, user_id, kind, actor, seen)
       values ('prop_of_matrix', $1, $2, 'erase', 'claim:ada', user_version($1, $2)) returning id`,
      [platformId, externalUserId],
    );
    return rows[0]?.id ?? "";
  }

  /**
   * Makes the record unresolved and unassigned: operators query, resend and resolve only unresolved records, and requeue
   * only those that need attention.
   */
  async function unresolve({ id }: Operation): Promise<void> {
    const due = "due_at = now() + interval '1 day', needs_attention_since = null";
    const attention = "due_at = null, needs_attention_since = now()";
    await admin.query(
      `update kyc_records set resolution = 'unresolved', status = null, sub_status = null, card_account_id = null,
         revision = null, step = 'ask', lease_until = null, ${id === "records.requeue" ? attention : due} where id = $1`,
      [kycRecordId],
    );
    await admin.query("delete from record_assignments where record_id = $1", [kycRecordId]);
  }

  /** Replaces all pauses by one, which can be resumed, or by none, so that one can begin. */
  async function renewPause({ id }: Operation): Promise<void> {
    await admin.query("delete from pauses");
    if (id !== "pauses.resume") return;
    await admin.query(
      `insert into pauses (id, platform_id, reason, until, paused_by)
       values ($1, $2, 'x', now() + interval '1 day', 'claim:ada')`,
      [pauseId, platformId],
    );
  }

  return {
    url: service.url,
    stores,
    /** An operation's example with existing data. The operation accepts it once. */
    async rightInput(binding: Binding): Promise<Record<string, unknown>> {
      const { operation } = binding;
      const example = operation.example.input as Record<string, unknown>;
      const { memberId, ...names } = newNames();
      if (operation.errors.includes("KYC_RECORD_CONFLICT")) await unresolve(operation);
      if (operation.id.startsWith("pauses.")) await renewPause(operation);
      const known: Record<string, unknown> = {
        // Writes use new names. Reads use the demo data, or the example submission.
        ...(operation.kind === "write" ? names : {}),
        ...(notFound(binding) ? {} : { memberId }),
        kycRecordId,
        lastEventId,
        file: sampleImage,
        platformId,
        externalUserId,
        holdId,
        proposalId: "proposalId" in example ? await newProposal() : undefined,
        pauseId,
        // An approval would need a person who has opened the evidence.
        decision: { outcome: "refused" },
        // A name has at most two live keys, so each key can be rotated once.
        name: `name-${randomBytes(6).toString("hex")}`,
        keyId: "keyId" in example ? await newKey() : undefined,
        ...(await webhookNames(operation)),
        ...(operation.id === "kyc.answerRequest" && asked),
        // The example locks a card, which is possible once.
        ...(operation.id === "sandbox.act" && { memberId: exampleSubmission.input.memberId, act: "approve" }),
      };
      const input = Object.entries(example).map(([field, value]) => [field, known[field] ?? value]);
      // The release of a record names no person.
      return { ...Object.fromEntries(input), ...("assignee" in example && { assignee: null }) };
    },
    async stop() {
      await stores.close();
      await admin.end();
      await service.stop();
    },
  };
}

/** The person whom the examples name. */
async function storeExamplePerson(url: string): Promise<void> {
  const database = openDatabase({ url, onError() {} });
  const personalDataKeys = createVerifiedKeys(database, encryptionKeys(readEnv({})));
  const identify = identifyPersons({ database, personalDataKeys, cache: noLookupCache });
  const {
    personId: newPersonId,
    name,
    roles,
  } = operations.persons.list.example.output.persons[0] ?? noPerson;
  await identify({ issuer: "https://issuer.example.com", subject: "example", name, roles, newPersonId });
  await database.close();
}

const noPerson = { personId: "per_none", name: null, roles: [] };

function newNames() {
  const name = `n-${randomBytes(6).toString("hex")}`;
  return { memberId: name, email: `${name}+approved@example.com` };
}
