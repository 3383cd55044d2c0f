import { randomUUID } from "node:crypto";
import { defaultPolicies, internalPlatformId, type Scope } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { type Call, createOperations, type Ports } from "../../src/index.ts";
import { callOf, operatorCall, personCall } from "../support/calls.ts";
import { makeWorld } from "../support/world.ts";

const { keys } = createOperations(defaultPolicies);
const { admin, platform, ports: worldPorts } = await makeWorld();
const platformId = await platform();
const ports: Ports = {
  ...worldPorts,
  generateKey: () => ({ key: "cb_test_key", prefix: "cb_test_k", hash: Buffer.from(randomUUID()) }),
};

const caller = callOf("internal", { scopes: ["ops.keys", "ops.records.read"] });
interface NewKey {
  scopes: Scope[];
  of?: string;
  by?: Call;
  expiresAt?: string | null | undefined;
}
const create = async ({ scopes, of = internalPlatformId, by = caller, expiresAt }: NewKey) => {
  const input = { platformId: of, name: randomUUID(), scopes, expiresAt };
  return (await keys.create.execute(ports, by, input)).data;
};
/** Rotates a key that the command line made, with these scopes. */
const rotate = async (scopes: Scope[], expiresAt?: string, by: Call = caller) => {
  const { keyId } = await create({ scopes, by: operatorCall });
  return (await keys.rotate.execute(ports, by, { keyId, expiresAt })).data;
};
const violating = (path: string, rule: string, message: string) => ({
  details: { violations: [{ path: [path], rule, message: expect.stringContaining(message) }] },
});
const refused = (...names: string[]) => ({
  code: "SCOPE_MISSING",
  ...violating("scopes", "own-scopes", names.join(", ")),
});

describe("a caller grants", () => {
  const operators: Scope[] = ["ops.persons", "ops.compliance"];
  const own: Scope[] = ["kyc:write", "webhooks:write", "ops.keys", "ops.records.read"];
  it.each([
    {
      name: "scopes of platforms, and own ones",
      call: caller,
      scopes: own,
      granted: [...own, "ops.persons"],
    },
    { name: "every scope at the command line", call: operatorCall, scopes: operators, granted: operators },
  ])("$name", async ({ call, scopes, granted }) => {
    expect((await create({ scopes, by: call })).scopes.toSorted()).toEqual(granted.toSorted());
  });

  it("scopes of platforms to a platform, and none of operators", async () => {
    expect((await create({ scopes: ["kyc:write"], of: platformId })).scopes).toEqual(["kyc:write"]);
    for (const by of [caller, operatorCall])
      await expect(create({ scopes: ["ops.keys"], of: platformId, by })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        ...violating("scopes", "key-belongs", "ops.keys"),
      });
  });

  it("no scope of operators that it does not have, also not by a rotation, and the attempts are audited", async () => {
    await expect(
      create({ scopes: ["ops.records.read", "ops.records.decide", "ops.audit"] }),
    ).rejects.toMatchObject(refused("ops.records.decide", "ops.audit"));
    await expect(rotate(["ops.compliance"])).rejects.toMatchObject(refused("ops.compliance"));
    const attempt = { outcome: "SCOPE_MISSING", actor: caller.actor, subject: null };
    const entries = await admin(
      "select * from audit_entries where platform_id = 'internal' and outcome = 'SCOPE_MISSING' order by id",
    );
    expect(entries).toMatchObject([
      { ...attempt, operation: "keys.create" },
      { ...attempt, operation: "keys.rotate" },
    ]);
    expect((await rotate(["ops.keys", "ops.persons", "cards:read"])).key).toEqual(expect.any(String));
  });
});

describe("a key of an internal app that a person makes", () => {
  const ada = personCall(["ops.keys", "ops.persons"]);
  const make = (expiresAt?: string | null, of?: string, by: Call = ada) =>
    create({ scopes: ["users:write"], expiresAt, by, ...(of && { of }) });
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const daysOf = (key: { expiresAt: string | null }) =>
    (Date.parse(key.expiresAt ?? "") - Date.now()) / 86_400_000;
  const tooLate = { code: "INVALID_INPUT", ...violating("expiresAt", "internal-key-expiry", "90 days") };

  it("always needs a person, names who made it, and expires within 90 days", async () => {
    const key = await make();
    expect(key).toMatchObject({ scopes: ["users:write", "ops.persons"], createdBy: "per_ada/key_1" });
    expect(daysOf(key)).toBeCloseTo(90, 2);
    expect(daysOf(await make(inDays(30)))).toBeCloseTo(30, 2);
    for (const late of [inDays(91), null]) await expect(make(late)).rejects.toMatchObject(tooLate);
  });

  it("has a successor for which the same holds; only the command line rotates one that needs no person", async () => {
    const successor = await rotate(["ops.persons"], undefined, ada);
    expect(successor).toMatchObject({ scopes: ["ops.persons"], createdBy: "per_ada/key_1" });
    expect(daysOf(successor)).toBeCloseTo(90, 2);
    await expect(rotate(["ops.persons"], inDays(91), ada)).rejects.toMatchObject(tooLate);
    await expect(rotate(["cards:read"], undefined, ada)).rejects.toMatchObject(refused("command line"));
    const ofCommandLine = await rotate(["cards:read"], undefined, operatorCall);
    expect(ofCommandLine).toMatchObject({ scopes: ["cards:read"] });
    expect(daysOf(ofCommandLine)).toBeCloseTo(365, 2);
  });

  it("is one of an app: a key of a platform, and one of the command line, keep what the caller sends", async () => {
    const kept = { scopes: ["users:write"], expiresAt: null };
    expect(await make(null, platformId)).toMatchObject({ ...kept, createdBy: "per_ada/key_1" });
    const ofCommandLine = await make(null, internalPlatformId, operatorCall);
    expect(ofCommandLine).toMatchObject({ ...kept, createdBy: operatorCall.actor });
  });
});
