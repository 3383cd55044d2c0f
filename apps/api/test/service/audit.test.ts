import type { IncomingMessage } from "node:http";
import { verifyAuditBatch } from "@cardbridge/service";
import { openDatabase } from "@cardbridge/service/database";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../src/admission/demo-keys.ts";
import { addressOf } from "../../src/admission/head.ts";
import { encryptionKeys } from "../../src/boot/options.ts";
import { readEnv } from "../../src/config/env.ts";
import { type Binding, bindingOf } from "../support/bindings.ts";
import { restList, restSubmit, trpcSubmit } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** The audit of calls, with real components. */
let service: Awaited<ReturnType<typeof startTestService>>;
let admin: Client;
beforeAll(async () => {
  service = await startTestService({ events: false });
  admin = new Client(service.adminUrl);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await service.stop();
});

const platformId = "plt_demo_one";
const rows = async (query: string, values: unknown[] = []) => (await admin.query(query, values)).rows;
const entriesOf = (requestId: string | null) =>
  rows(
    "select actor, operation, subject, outcome, address from audit_entries where request_id = $1 order by id",
    [requestId],
  );
const countEntries = async () => (await rows("select count(*)::int as count from audit_entries"))[0].count;

type Reading = "kyc.get" | "kyc.history";

async function read(
  operation: Reading,
  input: Record<string, string>,
  over: Binding["transport"],
  key: string = demoKeys.first,
) {
  const { path } = bindingOf(operation, over).request(input);
  const headers = {
    authorization: `Bearer ${key}`,
    "x-forwarded-for": "198.51.100.7",
    forwarded: "for=198.51.100.7",
  };
  const { status, headers: answered } = await fetch(`${service.url}${path}`, { headers });
  return { status, requestId: answered.get("x-request-id") };
}

const byKey = { actor: `key_${platformId}`, address: "127.0.0.1" };
const overBoth = ["REST", "tRPC"] as const;

describe.each(overBoth)("over %s", (over) => {
  const submit = async (body: unknown) => {
    const answer = await (over === "REST" ? restSubmit : trpcSubmit)(service.caller(), body);
    const { kycRecordId } = answer.body as { kycRecordId: string };
    return { ...answer, subject: kycRecordId, requestId: answer.headers.get("x-request-id") };
  };

  it("audits a submission, its replay and its errors", async () => {
    const body = newSubmission("pending");
    const first = await submit(body);
    const { subject } = first;
    const operation = "kyc.submit";
    expect(await entriesOf(first.requestId)).toEqual([{ ...byKey, operation, subject, outcome: "done" }]);
    const again = await submit(body);
    expect(await entriesOf(again.requestId)).toEqual([{ ...byKey, operation, subject, outcome: "replayed" }]);
    const other = await submit({ ...body, occupation: "Painter" });
    expect(other.status).toBe(409);
    expect(await entriesOf(other.requestId)).toEqual([
      { ...byKey, operation, subject, outcome: "KYC_ALREADY_SUBMITTED" },
    ]);
    const tied = await submit({ ...body, memberId: newSubmission().memberId });
    expect(await entriesOf(tied.requestId)).toEqual([
      { ...byKey, operation, subject: null, outcome: "USER_IDENTITY_CONFLICT" },
    ]);
  });

  it("audits reading a record, whether it exists or not", async () => {
    const body = newSubmission("approved");
    const { subject } = await submit(body);
    const cases: [Reading, Record<string, string>, number, string | null, string][] = [
      ["kyc.get", { memberId: body.memberId }, 200, subject, "done"],
      ["kyc.get", { memberId: "alice" }, 404, null, "KYC_RECORD_NOT_FOUND"],
      ["kyc.get", { memberId: "nobody" }, 404, null, "USER_NOT_FOUND"],
      ["kyc.history", { kycRecordId: subject }, 200, subject, "done"],
      ["kyc.history", { kycRecordId: "nobody-knows-me" }, 404, null, "KYC_RECORD_NOT_FOUND"],
    ];
    for (const [operation, input, status, about, outcome] of cases) {
      const found = await read(operation, input, over);
      expect(found.status).toBe(status);
      expect(await entriesOf(found.requestId)).toEqual([{ ...byKey, operation, subject: about, outcome }]);
    }
  });

  it("does not audit calls that are rejected early, or card lists", async () => {
    const before = await countEntries();
    expect((await read("kyc.get", {}, over)).status).toBe(400);
    expect((await read("kyc.get", { memberId: "alice" }, over, "cb_test_nothing")).status).toBe(401);
    expect((await submit({ ...newSubmission(), name: "" })).status).toBe(400);
    expect((await restList(service.caller(), { memberId: "alice" })).status).toBe(200);
    expect(await countEntries()).toBe(before);
  });
});

it("a worker creates checkpoints when it starts, and logs each checkpoint", async () => {
  await restSubmit(service.caller(), newSubmission());
  const worker = await startTestService({
    events: false,
    databaseUrl: service.serviceUrl,
    providerUrl: service.env.PROVIDER_URL,
    env: { RUN: "worker" },
  });
  const database = openDatabase({ url: service.env.DATABASE_URL, onError: () => {} });
  const keySet = encryptionKeys(readEnv({}));
  // All checkpoints fit into one batch.
  const verify = (known?: { number: number; hash: string }) =>
    verifyAuditBatch({ database, keySet }, platformId, { after: 0, known });
  await expect.poll(async () => (await verify()).pending).toBe(0);

  const { problems, checkpoints, last } = await verify();
  expect({ problems, number: last?.number }).toEqual({ problems: [], number: checkpoints });
  const lastLogged = () => {
    const checkpoints = worker.lines
      .map((line) => JSON.parse(line))
      .filter(({ msg, labels }) => msg === "audit_checkpoint_created" && labels.platformId === platformId);
    const { checkpoint, hash } = checkpoints.at(-1)?.labels ?? {};
    return { number: Number(checkpoint), hash };
  };
  // A checkpoint is logged after it is stored.
  await expect.poll(lastLogged).toEqual({ number: last?.number, hash: last?.hash });
  expect(await verify(lastLogged())).toMatchObject({ problems: [] });
  await database.close();
  await worker.stop();
});

it("a call fails if it cannot be audited, and nothing is submitted", async () => {
  const body = newSubmission();
  const { kycRecordId } = (await restSubmit(service.caller(), body)).body as { kycRecordId: string };
  const polled = "function audit_read(text, text, text, text, text)";
  await admin.query(`revoke insert on audit_entries from cardbridge_service;
    revoke execute on ${polled} from cardbridge_service`);
  const executed = (await service.ledger()).executions.length;
  try {
    for (const over of overBoth) {
      for (const [operation, input] of [
        ["kyc.get", { memberId: body.memberId }],
        ["kyc.get", { memberId: "nobody" }],
        ["kyc.history", { kycRecordId }],
      ] as const) {
        expect((await read(operation, input, over)).status).toBe(503);
      }
    }
    expect((await restSubmit(service.caller(), newSubmission())).status).toBeGreaterThanOrEqual(500);
    expect((await restSubmit(service.caller(), body)).status).toBeGreaterThanOrEqual(500);
    expect((await service.ledger()).executions).toHaveLength(executed);
    expect((await restList(service.caller(), { memberId: "alice" })).status).toBe(200);
  } finally {
    await admin.query(
      `grant insert (platform_id, actor, operation, subject, outcome, request_id, address) on audit_entries to cardbridge_service;
       grant execute on ${polled} to cardbridge_service`,
    );
  }
  expect((await read("kyc.get", { memberId: body.memberId }, "REST")).status).toBe(200);
});

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8::1", "2001:db8::1"],
  [undefined, null],
])("audits the address %s as %s", (remoteAddress, audited) => {
  const incoming = { socket: { remoteAddress } } as IncomingMessage;
  expect(addressOf(incoming.socket)).toBe(audited);
});
