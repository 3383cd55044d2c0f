import {
  defaultPolicies,
  internalPlatformId,
  type KeyFacts,
  type NewKey,
  type Person,
  type Scope,
} from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { type Call, createOperations } from "../../src/index.ts";
import { exampleKey } from "../../src/keys/example.ts";
import { callOf, operatorCall } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const { keys } = createOperations(defaultPolicies);

/** Ports with one key, which has these scopes. */
function portsWith(scopes: Scope[] = []) {
  const { ports } = fakePorts();
  const facts: KeyFacts = { ...exampleKey, platformId: internalPlatformId, scopes };
  ports.keys = {
    ...ports.keys,
    show: async () => facts,
    create: async (platformId, key) => ({ ...facts, platformId, scopes: [...key.scopes] }),
    rotate: async () => ({ successor: facts, predecessor: facts }),
  };
  return ports;
}

const caller = callOf("internal", { scopes: ["ops.keys", "ops.records.read"] });
const create = (scopes: Scope[], platformId = internalPlatformId, call = caller) =>
  keys.create.execute(portsWith(), call, { platformId, name: "app", scopes });
const refused = (...names: string[]) => ({
  code: "SCOPE_MISSING",
  details: {
    violations: [
      { path: ["scopes"], rule: "own-scopes", message: expect.stringContaining(names.join(", ")) },
    ],
  },
});

it("a caller grants the scopes of platforms, and those of operators that it has", async () => {
  const scopes: Scope[] = ["kyc:write", "webhooks:write", "ops.keys", "ops.records.read"];
  expect((await create(scopes)).data.scopes).toEqual([...scopes, "ops.persons"]);
  expect((await create(["kyc:write"], "plt_1")).data.scopes).toEqual(["kyc:write"]);
});

it("a caller grants no scope of operators that it does not have", async () => {
  await expect(create(["ops.records.read", "ops.records.decide", "ops.audit"])).rejects.toMatchObject(
    refused("ops.records.decide", "ops.audit"),
  );
});

describe("a key of an internal app that a person makes", () => {
  const person: Person = {
    personId: "per_1",
    roles: ["administrator"],
    platforms: "all",
    authenticatedAt: new Date(),
    expiresAt: new Date(Date.now() + 60_000),
  };
  const call = { ...callOf("internal", { scopes: ["ops.keys", "ops.persons"] }), person };
  const make = (expiresAt?: string | null, platformId = internalPlatformId, by = call) => {
    const stored: NewKey[] = [];
    const ports = portsWith();
    const { create } = ports.keys;
    ports.keys = {
      ...ports.keys,
      create(platform, key) {
        stored.push(key);
        return create(platform, key);
      },
    };
    const input = { platformId, name: "app", scopes: ["users:write" as const], expiresAt };
    return keys.create.execute(ports, by, input).then(() => stored[0]);
  };
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const daysOf = (key: NewKey | undefined) => (Date.parse(key?.expiresAt ?? "") - Date.now()) / 86_400_000;
  const tooLate = {
    code: "INVALID_INPUT",
    details: {
      violations: [
        { path: ["expiresAt"], rule: "internal-key-expiry", message: expect.stringContaining("90 days") },
      ],
    },
  };

  it("always needs a person, and names who made it", async () => {
    expect(await make()).toMatchObject({
      scopes: ["users:write", "ops.persons"],
      createdBy: `per_1/${call.actor}`,
    });
  });

  it("expires within 90 days", async () => {
    expect(daysOf(await make())).toBeCloseTo(90, 2);
    expect(daysOf(await make(inDays(30)))).toBeCloseTo(30, 2);
    await expect(make(inDays(91))).rejects.toMatchObject(tooLate);
    await expect(make(null)).rejects.toMatchObject(tooLate);
  });

  it("has a successor for which the same holds; only the command line rotates one that needs no person", async () => {
    const stored: NewKey[] = [];
    const rotate = (scopes: Scope[], expiresAt?: string, by: Call = call) => {
      const ports = portsWith(scopes);
      const { rotate } = ports.keys;
      ports.keys = {
        ...ports.keys,
        rotate(id, key, hours) {
          stored.push(key);
          return rotate(id, key, hours);
        },
      };
      return keys.rotate.execute(ports, by, { keyId: exampleKey.keyId, expiresAt });
    };
    await rotate(["ops.persons"]);
    expect(stored[0]).toMatchObject({ scopes: ["ops.persons"], createdBy: `per_1/${call.actor}` });
    expect(daysOf(stored[0])).toBeCloseTo(90, 2);
    await expect(rotate(["ops.persons"], inDays(91))).rejects.toMatchObject(tooLate);
    await expect(rotate(["cards:read"])).rejects.toMatchObject(refused("command line"));
    await rotate(["cards:read"], undefined, operatorCall);
    expect(stored[1]).toMatchObject({ scopes: ["cards:read"], expiresAt: null });
  });

  it("is one of an app: a key of a platform, and one of the command line, keep what the caller sends", async () => {
    const ofPlatform = { scopes: ["users:write"], expiresAt: null };
    expect(await make(null, "plt_1")).toMatchObject({ ...ofPlatform, createdBy: `per_1/${call.actor}` });
    const ofCommandLine = await make(undefined, internalPlatformId, operatorCall as typeof call);
    expect(ofCommandLine).toMatchObject({ ...ofPlatform, createdBy: operatorCall.actor });
  });
});

it("a rotation is refused for a key with more scopes than the caller has", async () => {
  const rotate = (scopes: Scope[]) =>
    keys.rotate.execute(portsWith(scopes), caller, { keyId: exampleKey.keyId });
  await expect(rotate(["ops.compliance"])).rejects.toMatchObject(refused("ops.compliance"));
  expect((await rotate(["ops.keys", "ops.persons", "cards:read"])).data.key).toEqual(expect.any(String));
});

it("a refused grant is audited, because it is an attempt to gain rights", async () => {
  const { ports, audited } = fakePorts();
  ports.keys = { ...ports.keys, show: async () => ({ ...exampleKey, scopes: ["ops.compliance"] }) };
  const input = { platformId: internalPlatformId, name: "app", scopes: ["ops.compliance" as const] };
  await expect(keys.create.execute(ports, caller, input)).rejects.toMatchObject(refused("ops.compliance"));
  const { keyId } = exampleKey;
  await expect(keys.rotate.execute(ports, caller, { keyId })).rejects.toMatchObject(
    refused("ops.compliance"),
  );
  expect(audited).toMatchObject([
    { operation: "keys.create", outcome: "SCOPE_MISSING", actor: caller.actor, subject: null },
    { operation: "keys.rotate", outcome: "SCOPE_MISSING", actor: caller.actor, subject: null },
  ]);
});

it("the command line grants every scope, because no key can grant the first one", async () => {
  const scopes: Scope[] = ["ops.persons", "ops.compliance"];
  expect((await create(scopes, internalPlatformId, operatorCall)).data.scopes).toEqual(scopes);
});

it("nobody grants scopes of operators to a platform", async () => {
  const violation = { path: ["scopes"], rule: "key-belongs", message: expect.stringContaining("ops.keys") };
  for (const call of [caller, operatorCall]) {
    await expect(create(["ops.keys"], "plt_1", call)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { violations: [violation] },
    });
  }
});
