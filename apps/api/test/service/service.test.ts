import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../src/admission/api-key.ts";
import { restList, restSubmit, trpcSubmit, withoutRequestId } from "../support/call.ts";
import { rawRequest } from "../support/raw-http.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { submitCases } from "./parity.cases.ts";

/** The service with real components: PostgreSQL, and the sandbox over HTTP. */
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService({ events: false, env: { DATABASE_CONNECTIONS: "40" } });
});
afterAll(() => service.stop());

async function countRows(): Promise<Record<string, number>> {
  const client = new Client(service.adminUrl);
  await client.connect();
  const tables = ["users", "kyc_records", "kyc_history"];
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  const { rows } = await client.query(`select ${counts.join(", ")}`);
  await client.end();
  return rows[0];
}

interface Page {
  items: { cardId: string; status: string; memberId: string | null; createdAt: string }[];
  total: number;
  totalPages: number;
}
const list = async (query: Record<string, string | number>, key: string = demoKeys.first) =>
  (await restList(service.caller(key), query)).body as Page;

describe("listing cards", () => {
  it("shows alice's four cards, one of each known status, newest first", async () => {
    const { items, total } = await list({ memberId: "alice" });
    expect(items.map(({ status }) => status)).toEqual(["inactive", "lost", "locked", "active"]);
    expect(total).toBe(4);
    expect(await list({ email: "ALICE@Demo.cardbridge.test" })).toEqual(await list({ memberId: "alice" }));
  });

  it("pages through bob's 45 cards without gaps or repetitions, with and without a filter", async () => {
    for (const filter of [{}, { status: "locked" }]) {
      const total = "status" in filter ? 15 : 45;
      const pages = await Promise.all(
        [1, 2, 3, 4, 5, 6, 7].map((page) => list({ memberId: "bob", ...filter, page, pageSize: 7 })),
      );
      expect(pages.map((page) => page.total)).toEqual(pages.map(() => total));
      const ids = pages.flatMap(({ items }) => items.map(({ cardId }) => cardId));
      expect(new Set(ids).size).toBe(total);
      expect(ids).toHaveLength(total);
      const times = pages.flatMap(({ items }) => items.map(({ createdAt }) => createdAt));
      expect(times).toEqual([...times].sort().reverse());
    }
    expect(await list({ memberId: "bob", page: 99 })).toMatchObject({ items: [], total: 45, totalPages: 3 });
  });
});

it("a request whose target is a whole URL passes the gates of its path", async () => {
  const { host } = new URL(service.url);
  const get = (path: string, key: string) =>
    rawRequest(
      service.url,
      `GET http://${host}${path}?memberId=alice HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n` +
        `authorization: Bearer ${key}\r\n\r\n`,
    );
  expect((await get("/openapi/v1/cards/list", demoKeys.first)).status).toBe(200);
  const refused = await get("/openapi/v1/users/kyc", "x");
  expect([refused.status, JSON.parse(refused.body).status]).toEqual([401, null]);
});

describe("submitting a KYC", () => {
  it.each([
    [
      "approved",
      200,
      { code: "KYC_SUBMITTED", status: "APPROVED", cardAccountId: expect.stringMatching(/./) },
    ],
    ["none", 200, { status: "PENDING_APPROVAL", subStatus: "pending_approval", cardAccountId: null }],
    ["pending", 200, { status: "PENDING_APPROVAL" }],
    ["rejected", 200, { success: true, status: "REJECTED", subStatus: "rejected" }],
    ["not-submitted", 200, { status: "PENDING", subStatus: "not_submitted" }],
    ["no-account", 200, { status: "APPROVED", cardAccountId: null }],
    ["new-status", 200, { code: "KYC_SUBMITTED", status: null, subStatus: "manual_review" }],
    ["refused", 422, { success: false, code: "KYC_REFUSED", kycRecordId: expect.stringMatching(/^kyc_/) }],
    [
      "error-500",
      202,
      { success: true, code: "KYC_ACCEPTED", status: "PENDING", subStatus: null, cardAccountId: null },
    ],
    ["garbage", 202, { code: "KYC_ACCEPTED", status: "PENDING", subStatus: null }],
    ["mismatched", 202, { code: "KYC_ACCEPTED", status: "PENDING", subStatus: null }],
  ])(
    "of the scenario %s gets %i, and the same response when repeated over either transport",
    async (tag, status, expected) => {
      const body = newSubmission(tag);
      const first = await restSubmit(service.caller(), body);
      expect(first).toMatchObject({ status, body: expected });
      const again = await restSubmit(service.caller(), body);
      const trpc = await trpcSubmit(service.caller(), body);
      expect(again.status).toBe(status);
      expect([again.body, trpc.body].map(withoutRequestId)).toEqual(
        Array(2).fill(withoutRequestId(first.body)),
      );
      expect([first, again, trpc].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([
        null,
        "true",
        "true",
      ]);
      const { attempts } = await service.ledger();
      const { kycRecordId } = first.body as { kycRecordId: string };
      expect(attempts.filter(({ reference }) => reference === kycRecordId)).toHaveLength(1);
    },
  );

  it("creates one record and one submission from 60 concurrent equal bodies", async () => {
    const body = newSubmission("approved");
    const calls = Array.from({ length: 60 }, (_, index) =>
      (index % 2 ? restSubmit : trpcSubmit)(service.caller(), body),
    );
    const answers = await Promise.all(calls);
    const ids = new Set(answers.map(({ body: result }) => (result as { kycRecordId: string }).kycRecordId));
    expect(ids.size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
    const { executions, attempts } = await service.ledger();
    const [id] = ids;
    expect(executions.filter(({ reference }) => reference === id)).toHaveLength(1);
    expect(attempts.filter(({ reference }) => reference === id)).toHaveLength(1);
  });

  it("conflicts with an open record, and starts a new one after a rejection or a refusal (G16)", async () => {
    const open = newSubmission("pending");
    const first = (await restSubmit(service.caller(), open)).body as {
      kycRecordId: string;
      externalUserId: string;
    };
    const changed = { ...open, occupation: "Painter" };
    expect(await restSubmit(service.caller(), changed)).toMatchObject({
      status: 409,
      body: { code: "KYC_ALREADY_SUBMITTED", kycRecordId: first.kycRecordId },
    });
    for (const tag of ["rejected", "refused"]) {
      const body = newSubmission(tag);
      const before = (await restSubmit(service.caller(), body)).body as { kycRecordId: string };
      const after = await restSubmit(service.caller(), { ...body, occupation: "Painter" });
      const { kycRecordId } = after.body as { kycRecordId: string };
      expect(kycRecordId).toMatch(/^kyc_/);
      expect(kycRecordId).not.toBe(before.kycRecordId);
      // A late retry of the first body replays its record, and sends nothing.
      const late = await restSubmit(service.caller(), body);
      expect(late.body).toMatchObject({ kycRecordId: before.kycRecordId });
      expect(late.headers.get("idempotent-replayed")).toBe("true");
      const { attempts } = await service.ledger();
      expect(attempts.filter(({ reference }) => reference === before.kycRecordId)).toHaveLength(1);
    }
  });

  it("sends nothing derived from memberId to the provider (I5)", async () => {
    const memberId = "MEMBER-canary-7Qx9Vt2Kb8Lm";
    await restSubmit(service.caller(), newSubmission("approved", memberId));
    const { executions } = await service.ledger();
    const sent = JSON.stringify(executions).toLowerCase();
    expect(executions.length).toBeGreaterThan(0);
    for (const form of [
      memberId,
      Buffer.from(memberId).toString("base64"),
      Buffer.from(memberId).toString("hex"),
      "7Qx9Vt2Kb8Lm",
    ]) {
      expect(sent).not.toContain(form.toLowerCase());
    }
  });
});

it("an invalid submission stores and sends nothing", async () => {
  const before = { rows: await countRows(), ledger: await service.ledger() };
  for (const [, body, status] of submitCases.filter(([, , status]) => status !== 200)) {
    const rest = await restSubmit(service.caller(), body);
    const trpc = await trpcSubmit(service.caller(), body);
    expect([rest.status, trpc.status]).toEqual([status, status]);
    expect(withoutRequestId(trpc.body)).toEqual(withoutRequestId(rest.body));
  }
  await restSubmit(service.caller("cb_test_nothing"), newSubmission());
  expect({ rows: await countRows(), ledger: await service.ledger() }).toEqual(before);
});
