import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { demoKeys, generateApiKey } from "../../../src/admission/api-key.ts";
import { restList, restSubmit } from "../../support/call.ts";
import { newSubmission, startTestService } from "../../support/test-service.ts";

/** Platform One far exceeds its fair limit. Platform Two is served as if it were alone. */
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A provider that delays responses to calls whose text contains `slow` until `release`. */
async function startProvider() {
  let held: (() => void)[] = [];
  let holds = true;
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", "http://localhost");
    const body = await text(request);
    const slow = `${url.search}${body}`.includes("slow");
    if (slow && holds) await new Promise<void>((resolve) => held.push(resolve));
    const json =
      request.method === "GET"
        ? { userReference: url.searchParams.get("userReference"), page: 1, pageSize: 20, total: 0, items: [] }
        : verdict(url.pathname, body);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json));
  }
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const release = () => {
    holds = false;
    for (const resolve of held) resolve();
    held = [];
  };
  closers.push(async () => {
    release();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: () => held.length,
    release,
  };
}

function verdict(path: string, body: string) {
  const { userReference } = JSON.parse(body) as { userReference: string };
  const state = { status: "approved", cardAccountId: "acct_1", revision: 1 };
  return {
    reference: path.slice("/v1/kyc/".length),
    userReference,
    ...state,
    updatedAt: "2026-01-31T12:00:00Z",
  };
}

const patient = { PROVIDER_READ_TIMEOUT_MS: "60000", PROVIDER_KYC_TIMEOUT_MS: "60000" };

async function startWorld(env: Record<string, string> = {}) {
  const provider = await startProvider();
  const service = await startTestService({ providerUrl: provider.url, env: { ...patient, ...env } });
  closers.push(service.stop);
  const [one, two] = [service.caller(demoKeys.first), service.caller(demoKeys.second)];
  return { provider, service, one, two };
}

/** The number of platform One's records. */
async function recordsOfOne(adminUrl: string): Promise<number> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  const { rowCount } = await client.query("select from kyc_records where platform_id = 'plt_demo_one'");
  await client.end();
  return rowCount ?? 0;
}

const quickList = { memberId: "alice" };

describe("a platform at ten times its fair limit", () => {
  it("of submissions does not affect another platform while the provider does not respond", async () => {
    const { provider, service, one, two } = await startWorld();
    const waiting: ReturnType<typeof restSubmit>[] = [];
    while (waiting.length < 32) {
      waiting.push(restSubmit(one, newSubmission("slow")));
      await expect.poll(provider.held).toBe(waiting.length);
    }
    // The other submissions are stored without a wait for the provider. No worker runs, so they are not sent.
    const further = Array.from({ length: 9 }, async () => {
      for (let nth = 0; nth < 12; nth += 1) {
        expect(await restSubmit(one, newSubmission("slow"))).toMatchObject({ status: 202 });
      }
    });
    for (let round = 0; round < 5; round += 1) {
      const [list, submitted] = [restList(two, quickList), restSubmit(two, newSubmission())];
      expect([(await list).status, (await submitted).status]).toEqual([200, 200]);
    }
    await Promise.all(further);
    expect(await recordsOfOne(service.adminUrl)).toBe(32 + 9 * 12);
    provider.release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(32).fill(200));
  });
});

it("a database that hangs results in 503 instead of 429", async () => {
  const service = await startTestService({ env: { DATABASE_CONNECTIONS: "4" } });
  closers.push(service.stop);
  const admin = new Client({ connectionString: service.adminUrl });
  await admin.connect();
  closers.push(() => admin.end());
  expect((await restList(service.caller(), quickList)).status).toBe(200);
  await admin.query("begin; lock table users in access exclusive mode");
  const answers: Awaited<ReturnType<typeof restList>>[] = [];
  const lists = Array.from({ length: 8 }, async (_, nth) => {
    answers.push(await restList(service.caller(), { memberId: `nobody-${nth}` }));
  });
  // Other tests use other databases of the server.
  const waits = `select from pg_locks where not granted
    and database = (select oid from pg_database where datname = current_database())`;
  const blocked = async () => (await admin.query(waits)).rowCount ?? 0;
  await expect.poll(() => answers.length).toBeGreaterThan(0);
  // No call waits for a connection any more. A rejection after another call has succeeded could be a 429.
  await expect.poll(async () => answers.length + (await blocked())).toBe(lists.length);
  const refused = answers.length;
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
    expect(answer.headers.get("retry-after")).toBe("2");
  }
  await admin.query("rollback");
  await Promise.all(lists);
  for (const { status } of answers.slice(refused)) expect(status).toBe(404);
});

describe("a flood of well-formed unknown keys at the start", () => {
  it("rejects no known key, although the process has not cached any key", async () => {
    const service = await startTestService();
    closers.push(service.stop);
    const flood = Array.from({ length: 600 }, () =>
      restList(service.caller(generateApiKey("test")), quickList),
    );
    const known = Array.from({ length: 20 }, () => restList(service.caller(), quickList));
    expect((await Promise.all(known)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([401]));
  });
});
