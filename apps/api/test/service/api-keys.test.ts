import { defaultPolicies, isOperatorScope, parseInput, type Scope } from "@cardbridge/domain";
import { createOperations, listProcedures } from "@cardbridge/operations";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateApiKey, hashApiKey } from "../../src/admission/api-key.ts";
import { demoKeys } from "../../src/admission/demo-keys.ts";
import { demoPlatforms } from "../../src/boot/demo-data.ts";
import {
  type Answer,
  type Fetch,
  restList,
  restSubmit,
  trpcList,
  trpcSubmit,
  withoutRequestId,
} from "../support/call.ts";
import { fakeApp } from "../support/fakes.ts";
import { makeInternalKey } from "../support/keys.ts";
import { needsPerson, operatorScopes } from "../support/operator-scopes.ts";
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
  const [rest, trpc] = [
    await restList(asked, { memberId: "alice" }),
    await trpcList(asked, { memberId: "alice" }),
  ];
  expect(trpc.status).toBe(rest.status);
  if (rest.status !== 200) expect(withoutRequestId(trpc.body)).toEqual(withoutRequestId(rest.body));
  else expect(trpc.body).toEqual(rest.body);
  return rest;
}

/** A caller that sends additional headers. */
function calling(key: string, headers: Record<string, string>) {
  const caller = service.caller(key);
  const send: Fetch = (path, init) =>
    caller.fetch(path, { ...init, headers: { ...init?.headers, ...headers } });
  return { key, fetch: send };
}

async function asAdmin(statement: string): Promise<void> {
  const client = new Client(service.adminUrl);
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe("a key, over REST and tRPC alike", () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
  const expire = (keyId: string) => asAdmin(`update api_keys set expires_at = now() where id = '${keyId}'`);

  it.each<[string, () => Promise<string>, number]>([
    ["that is live", async () => (await makeKey("live")).key, 200],
    ["that will expire", async () => (await makeKey("later", ["cards:read"], inAnHour())).key, 200],
    ["that was never created", async () => generateApiKey("test"), 401],
    ["of the other environment", async () => generateApiKey("live"), 401],
    ["of an internal app that was never created", async () => generateApiKey("test", "internal"), 401],
    [
      "that has expired",
      async () => {
        const { key, keyId } = await makeKey("expired");
        await expire(keyId);
        return key;
      },
      401,
    ],
    [
      "that is revoked",
      async () => {
        const { key, keyId } = await makeKey("revoked");
        expect((await list(key)).status).toBe(200);
        await administrator().keys.revoke.mutate({ keyId });
        return key;
      },
      401,
    ],
    [
      "with a successor, within the overlap",
      async () => {
        const { key, keyId } = await makeKey("old");
        await administrator().keys.rotate.mutate({ keyId });
        return key;
      },
      200,
    ],
    [
      "with a successor, after the overlap",
      async () => {
        const { key, keyId } = await makeKey("older");
        await administrator().keys.rotate.mutate({ keyId, overlapHours: 0 });
        return key;
      },
      401,
    ],
    [
      "that succeeds another key",
      async () => {
        const { keyId } = await makeKey("followed");
        return (await administrator().keys.rotate.mutate({ keyId })).key;
      },
      200,
    ],
    ["with a wrong checksum", async () => `${(await makeKey("typo")).key.slice(0, -6)}000000`, 401],
  ])("%s", async (_name, make, status) => {
    expect((await list(await make())).status).toBe(status);
  });

  it("is limited to its scopes, and so is its successor", async () => {
    const { keyId, key } = await makeKey("writer", ["kyc:write"]);
    const next = (await administrator().keys.rotate.mutate({ keyId })).key;
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
    expect([ofOne.status, ofTwo.status]).toEqual([200, 200]);
    expect([ofOne.body, ofTwo.body]).toMatchObject([{ total: 4 }, { total: 2 }]);
    const body = newSubmission();
    for (const submit of [restSubmit, trpcSubmit]) {
      expect((await submit(calling(internalKey, header(one)), body)).status).toBe(200);
    }
    expect(
      (await restSubmit(calling(internalKey, header(two)), body)).headers.get("idempotent-replayed"),
    ).toBeNull();
  });

  it("is reported as missing together with all other violations", async () => {
    const missing = { path: "X-Cardbridge-Platform", rule: "platform-required" };
    expect(await list(internalKey)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", errors: [missing] },
    });
    const { body } = await restSubmit(service.caller(internalKey), {
      ...newSubmission(),
      gender: "x",
      name: 1,
    });
    expect(body).toMatchObject({
      errors: [
        { path: "X-Cardbridge-Platform", rule: "platform-required" },
        { path: "/name" },
        { path: "/gender" },
      ],
    });
  });

  it.each(["plt_none", "", "*", "a b", "plt_'", "p".repeat(5_000), "plt_demo_one, plt_demo_two"])(
    "finds no platform %s",
    async (name) => {
      expect(await list(internalKey, header(name))).toMatchObject({
        status: 404,
        body: { code: "PLATFORM_NOT_FOUND" },
      });
    },
  );

  it("names the platform of each call of a batch in its input", async () => {
    const platforms = [one, two, "plt_none"];
    const inputs = platforms.map((platformId) => ({ memberId: "alice", platformId }));
    const path = `/trpc/cards.list,cards.list,cards.list?batch=1&input=${encodeURIComponent(JSON.stringify({ ...inputs }))}`;
    const headers = { authorization: `Bearer ${internalKey}` };
    const response = await fetch(`${service.url}${path}`, { headers });
    const parts = (await response.json()) as {
      result?: { data: { total: number } };
      error?: { data: { problem: { code: string } } };
    }[];
    expect(parts.map(({ result }) => result?.data.total)).toEqual([4, 2, undefined]);
    expect(parts[2]?.error?.data.problem.code).toBe("PLATFORM_NOT_FOUND");
  });

  it("does not accept the platform of internal apps", async () => {
    expect(await list(internalKey, header("internal"))).toMatchObject({ status: 400 });
  });

  it("accepts only the own platform of a platform's key", async () => {
    expect(await list(demoKeys.first, header(one))).toMatchObject({ status: 200, body: { total: 4 } });
    const refusals = [];
    for (const name of [two, "plt_none", "", "internal"])
      refusals.push(await list(demoKeys.first, header(name)));
    for (const { status, body } of refusals) {
      expect(status).toBe(403);
      expect(body).toMatchObject({ code: "PLATFORM_FORBIDDEN", errors: [] });
    }
  });

  it("does not replace a scope", async () => {
    expect(await list(adminKey, header(one))).toMatchObject({ status: 403, body: { code: "SCOPE_MISSING" } });
  });
});

describe("a scope of operators", () => {
  const admin = listProcedures(createOperations(defaultPolicies)).filter(
    (operation) => operation.scopes.every(isOperatorScope) && !needsPerson(operation),
  );

  /** One procedure per kind of caller, with an empty input, to test only the scope. */
  async function call(fetch: Fetch, { id, kind }: (typeof admin)[number], key: string) {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init = kind === "read" ? { headers } : { method: "POST", headers, body: "{}" };
    const response = await fetch(`/trpc/${id}`, init);
    const { error } = (await response.json()) as { error?: { data: { problem: { code: string } } } };
    return [response.status, error?.data.problem.code];
  }

  it.each(admin)("is required by $id", async (operation) => {
    const { fetch } = service.caller();
    const allowed = parseInput(operation.input, operation.rules, {}).ok
      ? [200, undefined]
      : [400, "INVALID_INPUT"];
    for (const key of [demoKeys.first, internalKey])
      expect(await call(fetch, operation, key)).toEqual([403, "SCOPE_MISSING"]);
    expect(await call(fetch, operation, generateApiKey("test", "internal"))).toEqual([
      401,
      "UNAUTHENTICATED",
    ]);
    expect(await call(fetch, operation, adminKey)).toEqual(allowed);
  });

  it("is never valid for a platform's key, even if the database contains it", async () => {
    const [key, internal] = [generateApiKey("test"), generateApiKey("test", "internal")];
    const { app } = fakeApp({
      keys: { [key]: [...operatorScopes, "cards:read"], [internal]: operatorScopes },
    });
    const fetch: Fetch = (path, init) => app.request(path, init);
    expect((await restList({ fetch, key }, { memberId: "member-1" })).status).toBe(200);
    for (const operation of admin) {
      expect(await call(fetch, operation, key)).toEqual([403, "SCOPE_MISSING"]);
      expect(await call(fetch, operation, internal)).not.toContain(403);
    }
  });

  it("has no REST route", async () => {
    for (const path of ["/openapi/v1/admin/keys", "/openapi/v1/keys.list", "/openapi/v1/keys"]) {
      const response = await fetch(`${service.url}${path}`, {
        headers: { authorization: `Bearer ${adminKey}` },
      });
      expect(response.status).toBe(404);
    }
  });
});

describe("administering platforms and keys over tRPC", () => {
  it("creates a platform and a key, which works immediately, and renames the platform", async () => {
    const { platforms } = administrator();
    const created = await platforms.create.mutate({ name: " Acme " });
    expect(created).toMatchObject({ platformId: expect.stringMatching(/^plt_/), name: "Acme" });
    const { key } = await administrator().keys.create.mutate({
      platformId: created.platformId,
      name: "backend",
      scopes: ["cards:read"],
    });
    expect(key).toMatch(/^cb_test_/);
    keys.push(key);
    expect(await list(key)).toMatchObject({ status: 404, body: { code: "USER_NOT_FOUND" } });

    const renamed = await platforms.rename.mutate({ platformId: created.platformId, name: "Acme Ltd" });
    expect(renamed).toEqual({ ...created, name: "Acme Ltd" });
    const { platforms: all } = await platforms.list.query({});
    expect(all).toContainEqual({ ...renamed, storedFiles: 0, storedBytes: 0 });
    expect(await platforms.list.query({ limit: 1 })).toMatchObject({ platforms: [{}], more: true });
  });

  it("creates a key of an internal app, which needs a person and expires within 90 days", async () => {
    const make = (expiresAt?: string | null) =>
      administrator().keys.create.mutate({
        ...{ platformId: "internal", name: "support admin", expiresAt },
        scopes: ["cards:read", "ops.keys", "cards:read"],
      });
    const { key, ...created } = await make();
    keys.push(key);
    expect(created).toMatchObject({
      prefix: key.slice(0, 16),
      scopes: ["cards:read", "ops.keys", "ops.persons"],
      createdBy: expect.stringMatching(/^key_internal_/),
    });
    expect((Date.parse(created.expiresAt ?? "") - Date.now()) / 86_400_000).toBeCloseTo(90, 2);
    const app = trpcClient({ url: service.url, apiKey: key, platform: two });
    expect(await problemIn(app.cards.list.query({ memberId: "alice" }))).toMatchObject({
      code: "PERSON_REQUIRED",
    });
    const { keys: listed } = await administrator().keys.list.query({ platformId: "internal" });
    expect(listed.find(({ keyId }) => keyId === created.keyId)).toMatchObject({
      createdBy: created.createdBy,
    });
    expect(await problemIn(make(null))).toMatchObject({
      code: "INVALID_INPUT",
      errors: [{ path: "/expiresAt", rule: "internal-key-expiry" }],
    });
  });

  it("returns all facts of a key except the key", async () => {
    const { key, ...facts } = await makeKey("told");
    const { keys: listed } = await administrator().keys.list.query({ platformId: one });
    expect(listed).toContainEqual(facts);
    expect(JSON.stringify(listed)).not.toContain(key);
    expect(JSON.stringify(listed)).not.toContain(hashApiKey(key).toString("hex"));
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
    expect(await problemIn(admin.list.query({ limit: 0 }))).toMatchObject({ errors: [{ path: "limit" }] });
  });

  it("creates a successor of the same kind", async () => {
    const { keys: admin } = administrator();
    const input = { name: "kind", scopes: ["cards:read" as const] };
    const starts = [];
    for (const whose of [{ platformId: two }, { platformId: "internal" }]) {
      const created = await admin.create.mutate({ ...input, ...whose });
      const next = await admin.rotate.mutate({ keyId: created.keyId });
      keys.push(created.key, next.key);
      starts.push([created, next].map(({ prefix }) => prefix.replace(/[^_]+$/, "")));
    }
    expect(starts).toEqual([
      ["cb_test_", "cb_test_"],
      ["cb_int_test_", "cb_int_test_"],
    ]);
  });

  it("reports missing subjects and conflicts", async () => {
    const { keys: admin, platforms } = administrator();
    const { keyId } = await makeKey("taken");
    const cases = [
      [() => platforms.rename.mutate({ platformId: "plt_none", name: "x" }), "PLATFORM_NOT_FOUND"],
      [() => platforms.rename.mutate({ platformId: "internal", name: "x" }), "PLATFORM_NOT_FOUND"],
      [
        () => admin.create.mutate({ platformId: "plt_none", name: "x", scopes: ["cards:read"] }),
        "PLATFORM_NOT_FOUND",
      ],
      [() => admin.create.mutate({ platformId: one, name: "taken", scopes: ["cards:read"] }), "KEY_CONFLICT"],
      [() => admin.rotate.mutate({ keyId: "key_none" }), "KEY_NOT_FOUND"],
      [() => admin.revoke.mutate({ keyId: "key_none" }), "KEY_NOT_FOUND"],
    ] as const;
    for (const [call, code] of cases) expect(await problemIn(call())).toMatchObject({ code });
    keys.push((await admin.rotate.mutate({ keyId })).key);
    expect(await problemIn(admin.rotate.mutate({ keyId, expiresAt: null }))).toMatchObject({
      code: "KEY_CONFLICT",
      errors: [{ path: "/keyId", rule: "live-keys", message: expect.stringContaining("Two live keys") }],
    });
  });

  it("requires an expiry for the successor of an expiring key", async () => {
    const { keys: admin } = administrator();
    const later = "2999-01-01T00:00:00.000Z";
    const { keyId } = await makeKey("expiring", ["cards:read"], later);
    expect(await problemIn(admin.rotate.mutate({ keyId }))).toMatchObject({
      code: "INVALID_INPUT",
      errors: [{ path: "/expiresAt", rule: "successor-expiry" }],
    });
    const next = await admin.rotate.mutate({ keyId, expiresAt: "2998-01-01T01:00:00+01:00" });
    expect(next.expiresAt).toBe("2998-01-01T00:00:00.000Z");
    await admin.revoke.mutate({ keyId });
    const last = await admin.rotate.mutate({ keyId: next.keyId, expiresAt: null });
    expect(last.expiresAt).toBeNull();
    keys.push(next.key, last.key);
  });
});

it("neither keys nor their hashes are logged", () => {
  const all = service.lines.join("\n");
  expect(keys.length).toBeGreaterThan(10);
  expect(service.lines.length).toBeGreaterThan(100);
  for (const key of [...keys, adminKey, internalKey]) {
    expect(all).not.toContain(key.slice(8, 24));
    for (const encoding of ["hex", "base64"] as const)
      expect(all).not.toContain(hashApiKey(key).toString(encoding));
  }
});
