import { eraseDueUsers, requestErasure } from "@cardbridge/service";
import { openDatabase } from "@cardbridge/service/database";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBlobs } from "../../src/boot/files.ts";
import { encryptionKeys } from "../../src/boot/options.ts";
import { readEnv } from "../../src/config/env.ts";
import { restList, restSubmit, trpcSubmit } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { readColumns } from "./canary/places.ts";

/** Personal data at rest, with real components: dumps, wrong keys, and erasure. */
const ring = (version: number, byte: number) => `${version}:${Buffer.alloc(32, byte).toString("base64")}`;

describe("with keys that do not match the database", () => {
  it.each([
    ["another key ring", { KEY_RING: ring(1, 8) }, "KEY_RING version 1 differs from the key"],
    [
      "another fingerprint key",
      { KEY_RING: ring(1, 7), FINGERPRINT_KEY: "another-fingerprint-key-of-tests" },
      "FINGERPRINT_KEY differs from the key",
    ],
  ])("(%s) all that needs them gets 503, and readiness the reason", async (_name, env, reason) => {
    const firstUsedWith = { KEY_RING: ring(1, 7), FINGERPRINT_KEY: "" };
    const service = await startTestService({ env, firstUsedWith });
    const before = await dumpOf(service.adminUrl);
    for (const answer of [
      await restList(service.caller(), { memberId: "alice" }),
      await trpcSubmit(service.caller(), newSubmission()),
    ]) {
      expect(answer).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]/);
    }
    expect(await service.ledger()).toMatchObject({ attempts: [] });
    expect(await dumpOf(service.adminUrl)).toBe(before);
    const ready = await fetch(`${service.url}/health/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { reasons: [expect.stringContaining(reason)] },
    ]);
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    expect(service.lines.join("")).toContain('"reason":"WrongKeys"');
    await service.stop();
  });
});

describe("erasing a user (G26)", () => {
  let service: Awaited<ReturnType<typeof startTestService>>;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it("refuses new records until it is done; then only ids and statuses remain", async () => {
    const body = newSubmission("rejected");
    const first = (await restSubmit(service.caller(), body)).body as {
      kycRecordId: string;
      externalUserId: string;
    };
    const read = async (path: string) => {
      const headers = { authorization: `Bearer ${service.caller().key}` };
      const response = await fetch(`${service.url}/openapi/v1/users/kyc${path}`, { headers });
      return { status: response.status, body: (await response.json()) as object };
    };
    const before = await read(`/${first.kycRecordId}`);
    const database = openDatabase({ url: service.serviceUrl, onError: () => {} });
    const env = readEnv(service.env);
    const ports = { database, keySet: encryptionKeys(env), blobs: await openBlobs(env) };
    expect(await requestErasure(ports, "plt_demo_one", first.externalUserId)).toBe(true);

    const changed = { ...body, occupation: "Painter" };
    const pending = { status: 409, body: { code: "USER_ERASURE_PENDING" } };
    expect(await restSubmit(service.caller(), changed)).toMatchObject(pending);
    expect(await trpcSubmit(service.caller(), changed)).toMatchObject(pending);
    expect(await restSubmit(service.caller(), body)).toMatchObject({ status: 200, body: first });

    expect(await eraseDueUsers(ports, 10)).toBe(1);
    await database.close();
    expect(await read(`?memberId=${body.memberId}`)).toMatchObject({
      status: 404,
      body: { code: "USER_NOT_FOUND" },
    });
    expect(await restList(service.caller(), { memberId: body.memberId })).toMatchObject({ status: 404 });
    expect(await read(`/${first.kycRecordId}`)).toEqual({
      ...before,
      body: { ...before.body, memberId: null },
    });
    expect(before).toMatchObject({ status: 200, body: { status: "REJECTED" } });

    const again = (await restSubmit(service.caller(), body)).body as typeof first;
    expect(again).toMatchObject({ status: "REJECTED" });
    expect(again.externalUserId).not.toBe(first.externalUserId);
  });

  it("runs in the worker, and is requested automatically after RETENTION_DAYS", async () => {
    const aged = await startTestService({
      env: { RUN: "all", RETENTION_DAYS: "30" },
      async prepare(adminUrl) {
        await asAdmin(adminUrl, "update users set created_at = now() - interval '31 days'");
        await asAdmin(adminUrl, `update users set erase_requested_at = now() where ${bob}`);
      },
    });
    const count = async (what: string) =>
      (await asAdmin(aged.adminUrl, `select from users where ${what}`)).length;
    await expect.poll(() => count("erased_at is not null")).toBeGreaterThan(0);
    expect(await restList(aged.caller(), { memberId: "bob" })).toMatchObject({ status: 404 });
    await expect.poll(() => count("erase_requested_at is null")).toBe(0);
    await aged.stop();
  });
});

const bob = "id = 'usr_2wq8k4n6t1r9d3x7b5mzc0ey4j'";

async function asAdmin(adminUrl: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client(adminUrl);
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

/** All columns of all tables as lines of lower-case text, with bytes also as characters. A key's last use changes. */
async function dumpOf(adminUrl: string): Promise<string> {
  const client = new Client(adminUrl);
  await client.connect();
  const columns = await readColumns({ query: async (text) => (await client.query(text)).rows });
  await client.end();
  columns.delete("api_keys.last_used_at");
  return [...columns.values()].join("\n").toLowerCase().split("\n").sort().join("\n");
}
