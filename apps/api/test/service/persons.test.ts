import { readFile } from "node:fs/promises";
import { operatorScope, type Role, role, scopesOfRole } from "@cardbridge/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { demoKeys } from "../../src/admission/demo-keys.ts";
import { demoPlatforms } from "../../src/boot/demo-data.ts";
import { bindings } from "../support/bindings.ts";
import { startIssuer } from "../support/issuer.ts";
import { makeInternalKey } from "../support/keys.ts";
import { startTestService } from "../support/test-service.ts";
import { problemIn, trpcClient } from "../support/trpc.ts";

/** Persons behind the key of an internal app, over the whole service with a real database (gap G37). */
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let service: Awaited<ReturnType<typeof startTestService>>;
/** The key of an app that forwards persons. */
let appKey: string;
beforeAll(async () => {
  issuer = await startIssuer();
  service = await startTestService({ events: false, env: issuer.env });
  appKey = await makeInternalKey(service.adminUrl, [...operatorScope.options, "cards:read", "kyc:read"]);
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

const [one = "", two = ""] = demoPlatforms.map(({ id }) => id);
const now = () => Math.floor(Date.now() / 1_000);

const tokenOf = (roles: readonly Role[], claims = {}) =>
  issuer.token({ roles: [...roles], auth_time: now(), ...claims });
const callAs = async (roles: readonly Role[], claims = {}) =>
  trpcClient({ url: service.url, apiKey: appKey, person: await tokenOf(roles, claims) });
const callWith = (person: string | undefined, apiKey = appKey) =>
  trpcClient({ url: service.url, apiKey, person });

it("shows the person what the key and the roles allow together", async () => {
  const me = await (await callAs(["support"], { sub: "me", name: "Ada", platforms: [one] })).persons.me.query(
    {},
  );
  expect(me).toMatchObject({
    personId: expect.stringMatching(/^per_/),
    name: "Ada",
    roles: ["support"],
    scopes: ["ops.records.read", "ops.records.act", "ops.users.read"],
    platforms: [{ platformId: one }],
    allPlatforms: false,
  });
  const inFourMinutes = Date.parse(me.expiresAt) - Date.now();
  expect(inFourMinutes).toBeGreaterThan(0);
  expect(inFourMinutes).toBeLessThanOrEqual(300_000);
});

it("a role limits the key, and the key limits the role", async () => {
  const viewer = await callAs(["viewer"]);
  const refused = await problemIn(viewer.platforms.list.query({}));
  expect(refused).toMatchObject({
    code: "SCOPE_MISSING",
    errors: [{ message: expect.stringContaining("operator or administrator") }],
  });
  const narrowKey = await makeInternalKey(service.adminUrl, ["ops.persons", "ops.records.read"]);
  const administrator = callWith(await tokenOf(["administrator"]), narrowKey);
  expect(await problemIn(administrator.keys.list.query({}))).toMatchObject({ code: "SCOPE_MISSING" });
  expect((await administrator.persons.me.query({})).scopes).toEqual(["ops.records.read", "ops.persons"]);
});

describe("a stolen key that forwards persons", () => {
  it.each(bindings.map((binding) => ({ ...binding, id: binding.operation.id })))(
    "reads nothing with $id over $transport",
    async ({ operation, request }) => {
      const { path, headers, ...init } = request({ ...Object(operation.example.input) });
      const response = await fetch(service.url + path, {
        ...init,
        headers: { ...headers, authorization: `Bearer ${appKey}`, "x-cardbridge-platform": one },
      });
      expect(response.status).toBe(401);
      expect(await response.text()).toContain("PERSON_REQUIRED");
    },
  );

  it("gets no batch and no subscription", async () => {
    const headers = { authorization: `Bearer ${appKey}` };
    for (const path of [
      "/trpc/platforms.list,keys.list?batch=1&input=%7B%7D",
      "/trpc/kyc.changes?input=%7B%7D",
    ]) {
      const response = await fetch(service.url + path, { headers });
      expect(response.status).toBe(401);
      expect(await response.text()).toContain("PERSON_REQUIRED");
    }
  });
});

describe("a refused token", () => {
  const refusals: [string, string, () => Promise<string>][] = [
    ["another audience", "token-audience", () => issuer.token({ aud: "console", roles: ["viewer"] })],
    ["an expired token", "token-expired", () => issuer.token({ iat: now() - 700, exp: now() - 400 })],
    ["another issuer", "token-issuer", () => issuer.token({ iss: "https://other.example.com" })],
    ["no role", "token-roles", () => issuer.token({ roles: ["owner"] })],
    ["no subject", "token-subject", () => issuer.token({ sub: undefined, roles: ["viewer"] })],
    ["more than 8 KB", "token-size", () => issuer.token({ filler: "x".repeat(9_000) })],
    ["no token", "token-malformed", async () => "nothing"],
  ];

  it.each(refusals)("%s is %s, over REST and tRPC, and is never logged", async (_name, rule, make) => {
    const token = await make();
    const expected = { code: "PERSON_INVALID", errors: [expect.objectContaining({ rule })] };
    expect(await problemIn(callWith(token).platforms.list.query({}))).toMatchObject(expected);
    const headers = { authorization: `Bearer ${appKey}`, "x-cardbridge-person": token };
    const response = await fetch(`${service.url}/openapi/v1/cards/list?memberId=alice`, { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject(expected);
    expect(service.lines.join("\n")).not.toContain(token);
  });

  it("is refused with a key that needs no person, also a platform's", async () => {
    const token = await tokenOf(["administrator"]);
    const machineKey = await makeInternalKey(service.adminUrl, ["ops.platforms"]);
    for (const key of [machineKey, demoKeys.first]) {
      expect(await problemIn(callWith(token, key).platforms.list.query({}))).toMatchObject({
        code: "PERSON_INVALID",
        errors: [expect.objectContaining({ rule: "key-without-persons" })],
      });
    }
    expect((await callWith(undefined, machineKey).platforms.list.query({})).platforms).not.toEqual([]);
  });

  it("tells nothing about a token to a caller without a key", async () => {
    const unknown = generateApiKey("test", "internal");
    const problem = await problemIn(callWith(await tokenOf(["viewer"]), unknown).platforms.list.query({}));
    expect(problem).toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

it("no token that was accepted is in the log, the database or a response", async () => {
  const token = await tokenOf(["administrator"], { sub: "canary-subject", name: "Canary Name" });
  const listed = await callWith(token).persons.list.query({});
  expect(listed.persons.map(({ name }) => name)).toContain("Canary Name");
  const log = service.lines.join("\n");
  for (const text of [token, "canary-subject", "Canary Name"]) expect(log).not.toContain(text);
  expect(JSON.stringify(listed)).not.toContain("canary-subject");
});

it("a blocked person is refused, and an administrator ends the block", async () => {
  const blocked = await callAs(["viewer"], { sub: "blocked" });
  const { personId } = await blocked.persons.me.query({});
  const administrator = await callAs(["administrator"], { sub: "administrator" });
  expect(await administrator.persons.block.mutate({ personId })).toMatchObject({
    personId,
    blockedAt: expect.any(String),
  });
  expect(await problemIn(blocked.persons.me.query({}))).toMatchObject({ code: "PERSON_BLOCKED" });
  await administrator.persons.block.mutate({ personId, blocked: false });
  expect((await blocked.persons.me.query({})).personId).toBe(personId);
  expect(await problemIn(administrator.persons.block.mutate({ personId: "per_unknown" }))).toMatchObject({
    code: "PERSON_NOT_FOUND",
  });
});

it("the keys that a blocked person made are of no use alone, and are found and revoked", async () => {
  const leaving = await callAs(["administrator"], { sub: "leaving" });
  const { personId } = await leaving.persons.me.query({});
  const { key, keyId } = await leaving.keys.create.mutate({
    ...{ platformId: "internal", name: "kept", scopes: ["users:write", "cards:read"] },
  });
  const administrator = await callAs(["administrator"], { sub: "administrator" });
  await administrator.persons.block.mutate({ personId });
  const alone = trpcClient({ url: service.url, apiKey: key, platform: one });
  expect(await problemIn(alone.cards.list.query({ memberId: "alice" }))).toMatchObject({
    code: "PERSON_REQUIRED",
  });
  const made = async () => (await administrator.keys.list.query({ createdBy: personId, state: "live" })).keys;
  expect(await made()).toMatchObject([
    { keyId, createdBy: expect.stringMatching(`^${personId}/key_internal_`) },
  ]);
  await administrator.keys.revoke.mutate({ keyId });
  expect(await made()).toEqual([]);
});

it("the audit names the person and the key", async () => {
  const administrator = await callAs(["administrator"], { sub: "auditor" });
  const { personId } = await administrator.persons.me.query({});
  await administrator.platforms.rename.mutate({ platformId: one, name: "Renamed" });
  const { entries } = await administrator.audit.list.query({ platformId: "internal" });
  expect(entries[0]).toMatchObject({
    operation: "platforms.rename",
    person: personId,
    actor: expect.stringMatching(/^key_internal_\d+$/),
  });
});

describe("making keys", () => {
  const newKey = { platformId: two, scopes: ["cards:read" as const] };

  it.each([
    ["a sign-in 16 minutes ago", () => ({ auth_time: now() - 960 })],
    ["no time of the sign-in", () => ({ auth_time: undefined })],
    ["a sign-in in the future", () => ({ auth_time: now() + 3_600 })],
  ])("needs another sign-in after %s", async (name, claims) => {
    const administrator = await callAs(["administrator"], claims());
    expect((await administrator.persons.me.query({})).signInRequiredAt).toBeNull();
    expect(await problemIn(administrator.keys.create.mutate({ ...newKey, name }))).toMatchObject({
      code: "SIGN_IN_TOO_OLD",
    });
  });

  it("gives no scope of operators that the person's role lacks", async () => {
    const administrator = await callAs(["administrator"]);
    const make = (scopes: ("ops.compliance" | "ops.persons" | "ops.users.read" | "kyc:write")[]) =>
      administrator.keys.create.mutate({ platformId: "internal", name: scopes.join(), scopes });
    expect(await problemIn(make(["ops.compliance"]))).toMatchObject({
      code: "SCOPE_MISSING",
      errors: [{ path: "/scopes", rule: "own-scopes" }],
    });
    const granted = ["kyc:write", "ops.users.read", "ops.persons"] as const;
    expect((await make([...granted])).scopes).toEqual(granted);
  });
});

describe("a person who may access one platform", () => {
  const bound = (platforms: unknown = [one]) => callAs(role.options, { sub: "bound", platforms });

  it("sees nothing of another platform", async () => {
    const { keys, audit, platforms, users, webhooks, persons, records } = await bound();
    const theirs = { platformId: two };
    const calls: [() => Promise<unknown>, string][] = [
      [() => keys.list.query(theirs), "PLATFORM_NOT_FOUND"],
      [() => keys.list.query({}), "SCOPE_MISSING"],
      [() => keys.create.mutate({ ...theirs, name: "a", scopes: ["cards:read"] }), "PLATFORM_NOT_FOUND"],
      [
        () => keys.create.mutate({ platformId: "internal", name: "a", scopes: ["cards:read"] }),
        "PLATFORM_NOT_FOUND",
      ],
      [() => keys.revoke.mutate({ keyId: "key_internal_1" }), "KEY_NOT_FOUND"],
      [() => audit.list.query(theirs), "PLATFORM_NOT_FOUND"],
      [() => audit.list.query({ platformId: "internal" }), "PLATFORM_NOT_FOUND"],
      [() => platforms.list.query({}), "SCOPE_MISSING"],
      [() => platforms.rename.mutate({ ...theirs, name: "a" }), "PLATFORM_NOT_FOUND"],
      [() => users.show.query({ ...theirs, memberId: "alice" }), "PLATFORM_NOT_FOUND"],
      [() => records.search.query({ platformIds: [one, two] }), "PLATFORM_NOT_FOUND"],
      [() => persons.list.query({}), "SCOPE_MISSING"],
      [() => webhooks.list.query({}), "INVALID_INPUT"],
    ];
    for (const [call, code] of calls) expect(await problemIn(call())).toMatchObject({ code });
    expect((await keys.list.query({ platformId: one })).keys).not.toEqual([]);
    expect((await audit.list.query({ platformId: one })).entries).toBeDefined();
  });

  it("cannot name another platform in the header", async () => {
    const person = await tokenOf(["operator"], { platforms: [one] });
    const named = (platform: string) =>
      trpcClient({ url: service.url, apiKey: appKey, platform, person }).webhooks.list.query({});
    expect((await named(one)).endpoints).toEqual([]);
    expect(await problemIn(named(two))).toMatchObject({ code: "PLATFORM_NOT_FOUND" });
  });

  it.each([[[]], [null], [{}], [1]])("has no platform with the claim %j", async (claim) => {
    const { persons, audit } = await bound(claim);
    expect((await persons.me.query({})).platforms).toEqual([]);
    expect(await problemIn(audit.list.query({ platformId: one }))).toMatchObject({
      code: "PLATFORM_NOT_FOUND",
    });
  });
});

it("the page on persons lists the scopes of each role", async () => {
  const page = await readFile(new URL("../../../../docs/operate/persons.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \|[^|]*\| (.*) \|$/gm)].map(([, name, scopes = ""]) => [
    name,
    [...scopes.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope),
  ]);
  expect(Object.fromEntries(rows)).toEqual(scopesOfRole);
});
