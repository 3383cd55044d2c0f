import { operatorScope, type Role } from "@cardbridge/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys, generateApiKey } from "../../src/admission/api-key.ts";
import { demoPlatforms } from "../../src/boot/development/demo-data.ts";
import { bindings } from "../support/bindings.ts";
import { startIssuer } from "../support/issuer.ts";
import { makeInternalKey } from "../support/keys.ts";
import { startTestService } from "../support/test-service.ts";
import { problemIn, trpcClient } from "../support/trpc.ts";

/**
 * Persons behind the key of an internal app, over the whole service with a real database (gap G37). The operations'
 * tests have what each role may do, and those of the admission every rule of a token.
 */
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let service: Awaited<ReturnType<typeof startTestService>>;
/** The key of an app that forwards persons. */
let appKey: string;
beforeAll(async () => {
  issuer = await startIssuer();
  service = await startTestService({ events: false, env: { ...issuer.env, LOG_LEVEL: "debug" } });
  appKey = await makeInternalKey(service.adminUrl, [...operatorScope.options, "cards:read", "kyc:read"]);
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

const [one = ""] = demoPlatforms.map(({ id }) => id);
const now = () => Math.floor(Date.now() / 1_000);

const tokenOf = (roles: readonly Role[], claims = {}) =>
  issuer.token({ roles: [...roles], auth_time: now(), ...claims });
const callAs = async (roles: readonly Role[], claims = {}) => callWith(await tokenOf(roles, claims));
const callWith = (person: string | undefined, apiKey = appKey) =>
  trpcClient({ url: service.url, apiKey, person });

it("shows the person what the key and the roles allow together", async () => {
  const support = await callAs(["support"], { sub: "me", name: "Ada", platforms: [one] });
  const me = await support.persons.me.query({});
  expect(me).toMatchObject({
    personId: expect.stringMatching(/^per_/),
    name: "Ada",
    roles: ["support"],
    scopes: ["ops.records.read", "ops.records.act", "ops.users.read"],
    platforms: [{ platformId: one }],
    allPlatforms: false,
  });
  const inFiveMinutes = Date.parse(me.expiresAt) - Date.now();
  expect(inFiveMinutes).toBeGreaterThan(0);
  expect(inFiveMinutes).toBeLessThanOrEqual(300_000);
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
      expect([response.status, await response.text()]).toEqual([
        401,
        expect.stringContaining("PERSON_REQUIRED"),
      ]);
    },
  );

  it.each(["/trpc/platforms.list,keys.list?batch=1&input=%7B%7D", "/trpc/kyc.changes?input=%7B%7D"])(
    "gets nothing from %s",
    async (path) => {
      const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${appKey}` } });
      expect([response.status, await response.text()]).toEqual([
        401,
        expect.stringContaining("PERSON_REQUIRED"),
      ]);
    },
  );
});

/** No line of the log has a part of the token that could identify it or its person. */
function expectUnlogged(token: string): void {
  const log = service.lines.join("\n");
  const parts = token.split(".").filter((part) => part.length >= 16);
  for (const part of [...parts, "canary", "Canary"]) expect(log).not.toContain(part);
}

describe("a refused token", () => {
  const refusals: [string, string, () => Promise<string>][] = [
    ["another audience", "token-audience", () => issuer.token({ aud: "console", roles: ["viewer"] })],
    ["no role", "token-roles", () => issuer.token({ roles: ["owner"] })],
    ["no subject", "token-subject", () => issuer.token({ sub: undefined, roles: ["viewer"] })],
    ["no token", "token-malformed", async () => "nothing.canary-of-nothing"],
  ];

  it.each(refusals)("%s is %s, over REST and tRPC, and is never logged", async (_name, rule, make) => {
    const token = await make();
    const expected = { code: "PERSON_INVALID", errors: [expect.objectContaining({ rule })] };
    expect(await problemIn(callWith(token).platforms.list.query({}))).toMatchObject(expected);
    const headers = { authorization: `Bearer ${appKey}`, "x-cardbridge-person": token };
    const response = await fetch(`${service.url}/openapi/v1/cards/list?memberId=alice`, { headers });
    const body = await response.text();
    expect([response.status, JSON.parse(body)]).toMatchObject([401, expected]);
    expect(body).not.toContain(token);
    expectUnlogged(token);
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

it("no token that was accepted is in the log, and no subject in a response", async () => {
  const token = await tokenOf(["administrator"], { sub: "canary-subject", name: "Canary Name" });
  const listed = await callWith(token).persons.list.query({});
  expect(listed.persons.map(({ name }) => name)).toContain("Canary Name");
  expect(JSON.stringify(listed)).not.toContain("canary-subject");
  expectUnlogged(token);
});

it("a blocked person is refused, whose keys are of no use alone, and an administrator ends the block", async () => {
  const leaving = await callAs(["administrator"], { sub: "leaving" });
  const { personId } = await leaving.persons.me.query({});
  const { key, keyId } = await leaving.keys.create.mutate({
    ...{ platformId: "internal", name: "kept", scopes: ["users:write", "cards:read"] },
  });
  const administrator = await callAs(["administrator"], { sub: "administrator" });
  expect(await administrator.persons.block.mutate({ personId })).toMatchObject({
    ...{ personId, blockedAt: expect.any(String) },
  });
  expect(await problemIn(leaving.persons.me.query({}))).toMatchObject({ code: "PERSON_BLOCKED" });
  const alone = trpcClient({ url: service.url, apiKey: key, platform: one });
  expect(await problemIn(alone.cards.list.query({ memberId: "alice" }))).toMatchObject({
    code: "PERSON_REQUIRED",
  });
  const { keys } = await administrator.keys.list.query({ createdBy: personId, state: "live" });
  expect(keys).toMatchObject([{ keyId, createdBy: expect.stringMatching(`^${personId}/key_internal_`) }]);
  await administrator.persons.block.mutate({ personId, blocked: false });
  expect((await leaving.persons.me.query({})).personId).toBe(personId);
  expect(await problemIn(administrator.persons.block.mutate({ personId: "per_unknown" }))).toMatchObject({
    code: "PERSON_NOT_FOUND",
  });
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

it.each([
  ["a sign-in 16 minutes ago", () => ({ auth_time: now() - 960 })],
  ["no time of the sign-in", () => ({ auth_time: undefined })],
  ["a sign-in in the future", () => ({ auth_time: now() + 3_600 })],
])("making a key needs another sign-in after %s", async (name, claims) => {
  const administrator = await callAs(["administrator"], claims());
  expect((await administrator.persons.me.query({})).signInRequiredAt).toBeNull();
  const newKey = { platformId: one, name, scopes: ["cards:read" as const] };
  expect(await problemIn(administrator.keys.create.mutate(newKey))).toMatchObject({
    code: "SIGN_IN_TOO_OLD",
  });
});
