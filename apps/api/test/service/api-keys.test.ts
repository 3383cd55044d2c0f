import type { Scope } from "@cardbridge/domain";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys, generateApiKey, hashApiKey } from "../../src/admission/api-key.ts";
import { demoPlatforms } from "../../src/boot/development/demo-data.ts";
import {
  type Answer,
  type Fetch,
  restList,
  restSubmit,
  trpcList,
  withoutRequestId,
} from "../support/call.ts";
import { fakeApp } from "../support/fakes.ts";
import { makeInternalKey } from "../support/keys.ts";
import { operatorScopes } from "../support/operator-scopes.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { problemIn, trpcClient } from "../support/trpc.ts";

/** API keys over the whole service with a real database (gap G19). */
let service: Awaited<ReturnType<typeof startTestService>>;
let adminKey: string;
let internalKey: string;
beforeAll(async () => {
  service = await startTestService({ events: false });
  adminKey = await makeInternalKey(service.adminUrl, operatorScopes);
  internalKey = await makeInternalKey(service.adminUrl, ["cards:read", "kyc:write", "kyc:read"]);
});
afterAll(() => service.stop());

const [one = "", two = ""] = demoPlatforms.map(({ id }) => id);
/** Every key that these tests create. */
const keys: string[] = [demoKeys.first];

const administrator = () => trpcClient({ url: service.url, apiKey: adminKey });
async function makeKey(name: string, scopes: Scope[] = ["cards:read"], expiresAt?: string) {
  const created = await administrator().keys.create.mutate({ platformId: one, name, scopes, expiresAt });
  keys.push(created.key);
  return created;
}

/** Lists alice's cards over both transports, which must agree. */
async function list(key: string, headers: Record<string, string> = {}): Promise<Answer> {
  const asked = calling(key, headers);
  const rest = await restList(asked, { memberId: "alice" });
  const trpc = await trpcList(asked, { memberId: "alice" });
  expect(trpc.status).toBe(rest.status);
  expect(withoutRequestId(trpc.body)).toEqual(withoutRequestId(rest.body));
  return rest;
}

/** A caller that sends additional headers. */
function calling(key: string, headers: Record<string, string>) {
  const caller = service.caller(key);
  const send: Fetch = (path, init) =>
    caller.fetch(path, { ...init, headers: { ...init?.headers, ...headers } });
  return { key, fetch: send };
}

async function expire(keyId: string): Promise<void> {
  const client = new Client(service.adminUrl);
  await client.connect();
  await client.query("update api_keys set expires_at = now() where id = $1", [keyId]);
  await client.end();
}

describe("a key, over REST and tRPC alike", () => {
  /** Makes a key, and does something with it. */
  const changed = async (change: (key: { key: string; keyId: string }) => Promise<unknown>) => {
    const made = await makeKey(`changed ${keys.length}`);
    expect((await list(made.key)).status).toBe(200);
    await change(made);
    return made.key;
  };
  const rotate = (keyId: string, overlapHours?: number) =>
    administrator().keys.rotate.mutate({ keyId, overlapHours });

  it.each<[string, number, () => Promise<string>]>([
    ["that was never created", 401, async () => generateApiKey("test")],
    ["of the other environment", 401, async () => generateApiKey("live")],
    ["of an internal app that was never created", 401, async () => generateApiKey("test", "internal")],
    ["that has expired", 401, () => changed(({ keyId }) => expire(keyId))],
    ["that is revoked", 401, () => changed(({ keyId }) => administrator().keys.revoke.mutate({ keyId }))],
    ["with a successor, within the overlap", 200, () => changed(({ keyId }) => rotate(keyId))],
    ["with a successor, after the overlap", 401, () => changed(({ keyId }) => rotate(keyId, 0))],
    ["with a wrong checksum", 401, async () => `${(await makeKey("typo")).key.slice(0, -6)}000000`],
  ])("%s gets %i", async (_name, status, make) => {
    expect((await list(await make())).status).toBe(status);
  });

  it("is limited to its scopes, and so is its successor", async () => {
    const { keyId, key } = await makeKey("writer", ["kyc:write"]);
    const next = (await administrator().keys.rotate.mutate({ keyId })).key;
    keys.push(next);
    for (const writer of [key, next]) {
      expect((await list(writer)).body).toMatchObject({ code: "SCOPE_MISSING" });
      expect((await restSubmit(service.caller(writer), newSubmission())).status).toBe(200);
    }
  });
});

describe("the header X-Cardbridge-Platform", () => {
  const header = (platform: string) => ({ "x-cardbridge-platform": platform });

  it("names the platform of a call with a key of an internal app", async () => {
    const ofOne = await list(internalKey, header(one));
    const ofTwo = await list(internalKey, header(two));
    expect([ofOne, ofTwo]).toMatchObject([
      { status: 200, body: { total: 4 } },
      { status: 200, body: { total: 2 } },
    ]);
    const body = newSubmission();
    for (const platform of [one, two]) {
      const { status, headers } = await restSubmit(calling(internalKey, header(platform)), body);
      expect([status, headers.get("idempotent-replayed")]).toEqual([200, null]);
    }
  });

  it.each(["plt_none", "", "*", "plt_'", "p".repeat(5_000), "plt_demo_one, plt_demo_two"])(
    "finds no platform %s",
    async (name) => {
      expect(await list(internalKey, header(name))).toMatchObject({
        status: 404,
        body: { code: "PLATFORM_NOT_FOUND" },
      });
    },
  );

  it("accepts only the own platform of a platform's key", async () => {
    expect(await list(demoKeys.first, header(one))).toMatchObject({ status: 200, body: { total: 4 } });
    for (const name of [two, "plt_none", "", "internal"])
      expect(await list(demoKeys.first, header(name))).toMatchObject({
        status: 403,
        body: { code: "PLATFORM_FORBIDDEN", errors: [] },
      });
  });
});

it("a scope of operators is never valid for a platform's key, even if the database contains it", async () => {
  const [key, internal] = [generateApiKey("test"), generateApiKey("test", "internal")];
  const { app } = fakeApp({ keys: { [key]: operatorScopes, [internal]: operatorScopes } });
  const statusOf = async (apiKey: string) =>
    (await app.request("/trpc/service.status", { headers: { authorization: `Bearer ${apiKey}` } })).status;
  expect([await statusOf(key), await statusOf(internal)]).toEqual([403, 200]);
});

describe("administering platforms and keys over tRPC", () => {
  it("creates a platform and a key, which works immediately and is shown once, and renames the platform", async () => {
    const { platforms, keys: admin } = administrator();
    const created = await platforms.create.mutate({ name: " Acme " });
    expect(created).toMatchObject({ platformId: expect.stringMatching(/^plt_/), name: "Acme" });
    const { platformId } = created;
    const { key, ...facts } = await admin.create.mutate({
      platformId,
      name: "backend",
      scopes: ["cards:read"],
    });
    keys.push(key);
    expect(key).toMatch(/^cb_test_/);
    expect(await list(key)).toMatchObject({ status: 404, body: { code: "USER_NOT_FOUND" } });
    const { keys: listed } = await admin.list.query({ platformId });
    expect(listed).toEqual([{ ...facts, maker: null, lastUsedAt: expect.any(String) }]);
    expect(JSON.stringify(listed)).not.toContain(hashApiKey(key).toString("hex"));

    const renamed = await platforms.rename.mutate({ platformId, name: "Acme Ltd" });
    expect(renamed).toEqual({ ...created, name: "Acme Ltd" });
    const { platforms: all } = await platforms.list.query({});
    expect(all).toContainEqual({ ...renamed, storedFiles: 0, storedBytes: 0 });
    expect(await platforms.list.query({ limit: 1 })).toMatchObject({ platforms: [{}], more: true });
  });

  it("reports all violations together", async () => {
    const { keys: admin } = administrator();
    const problem = await problemIn(
      admin.create.mutate({
        platformId: "plt one",
        name: " ",
        scopes: ["ops.audit", "cards:write" as Scope],
        expiresAt: "2020-01-01T00:00:00Z",
      }),
    );
    expect(problem?.errors.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
      "/platformId platform-id",
      "/name text-64",
      "/scopes/1 enum",
      "/scopes key-belongs",
      "/expiresAt expires-later",
    ]);
    expect(await problemIn(admin.rotate.mutate({ keyId: "", overlapHours: 721 }))).toMatchObject({
      errors: [{ path: "/keyId" }, { path: "/overlapHours", rule: "maximum" }],
    });
  });

  it("gives a successor the expiry that the caller sends", async () => {
    const { keys: admin } = administrator();
    const { keyId } = await makeKey("expiring", ["cards:read"], "2999-01-01T00:00:00.000Z");
    const next = await admin.rotate.mutate({ keyId, expiresAt: "2998-01-01T01:00:00+01:00" });
    keys.push(next.key);
    expect(next.expiresAt).toBe("2998-01-01T00:00:00.000Z");
  });
});

it("neither keys nor their hashes are logged", () => {
  const all = service.lines.join("\n");
  expect(keys.length).toBeGreaterThan(10);
  expect(service.lines.length).toBeGreaterThan(50);
  for (const key of [...keys, adminKey, internalKey]) {
    expect(all).not.toContain(key.slice(8, 24));
    for (const encoding of ["hex", "base64"] as const)
      expect(all).not.toContain(hashApiKey(key).toString(encoding));
  }
});
