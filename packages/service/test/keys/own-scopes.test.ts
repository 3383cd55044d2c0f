import {
  defaultPolicies,
  internalPlatformId,
  type KeyFacts,
  type NewKey,
  type Scope,
} from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { type Call, createOperations } from "../../src/index.ts";
import { exampleKey } from "../../src/keys/example.ts";
import { callOf, operatorCall, personCall } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const { keys } = createOperations(defaultPolicies);
const { keyId } = exampleKey;

/** Ports with one key, which has these scopes, and the keys that they store. */
function portsWith(scopes: readonly Scope[] = []) {
  const { ports, audited } = fakePorts();
  const stored: NewKey[] = [];
  const facts: KeyFacts = { ...exampleKey, platformId: internalPlatformId, scopes: [...scopes] };
  Object.assign(ports.keys, {
    show: async () => facts,
    create: async (platformId: string, key: NewKey) => {
      stored.push(key);
      return { ...facts, platformId, scopes: [...key.scopes] };
    },
    rotate: async (_id: string, key: NewKey) => {
      stored.push(key);
      return { successor: facts, predecessor: facts };
    },
  });
  return { ports, audited, stored };
}

const caller = callOf("internal", { scopes: ["ops.keys", "ops.records.read"] });
const { ports: anyPorts } = portsWith();
const create = (scopes: Scope[], platformId = internalPlatformId, call = caller, ports = anyPorts) =>
  keys.create.execute(ports, call, { platformId, name: "app", scopes });
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
    expect((await create(scopes, internalPlatformId, call)).data.scopes).toEqual(granted);
  });

  it("scopes of platforms to a platform, and none of operators", async () => {
    expect((await create(["kyc:write"], "plt_1")).data.scopes).toEqual(["kyc:write"]);
    for (const call of [caller, operatorCall])
      await expect(create(["ops.keys"], "plt_1", call)).rejects.toMatchObject({
        code: "INVALID_INPUT",
        ...violating("scopes", "key-belongs", "ops.keys"),
      });
  });

  it("no scope of operators that it does not have, also not by a rotation, and the attempts are audited", async () => {
    const { ports, audited } = portsWith(["ops.compliance"]);
    await expect(
      create(["ops.records.read", "ops.records.decide", "ops.audit"], internalPlatformId, caller, ports),
    ).rejects.toMatchObject(refused("ops.records.decide", "ops.audit"));
    await expect(keys.rotate.execute(ports, caller, { keyId })).rejects.toMatchObject(
      refused("ops.compliance"),
    );
    const attempt = { outcome: "SCOPE_MISSING", actor: caller.actor, subject: null };
    expect(audited).toMatchObject([
      { ...attempt, operation: "keys.create" },
      { ...attempt, operation: "keys.rotate" },
    ]);
    const own = portsWith(["ops.keys", "ops.persons", "cards:read"]);
    expect((await keys.rotate.execute(own.ports, caller, { keyId })).data.key).toEqual(expect.any(String));
  });
});

describe("a key of an internal app that a person makes", () => {
  const ada = personCall(["ops.keys", "ops.persons"]);
  const make = async (expiresAt?: string | null, platformId = internalPlatformId, by: Call = ada) => {
    const { ports, stored } = portsWith();
    const input = { platformId, name: "app", scopes: ["users:write" as const], expiresAt };
    await keys.create.execute(ports, by, input);
    return stored[0];
  };
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const daysOf = (key: NewKey | undefined) => (Date.parse(key?.expiresAt ?? "") - Date.now()) / 86_400_000;
  const tooLate = { code: "INVALID_INPUT", ...violating("expiresAt", "internal-key-expiry", "90 days") };

  it("always needs a person, names who made it, and expires within 90 days", async () => {
    const key = await make();
    expect(key).toMatchObject({ scopes: ["users:write", "ops.persons"], createdBy: "per_ada/key_1" });
    expect(daysOf(key)).toBeCloseTo(90, 2);
    expect(daysOf(await make(inDays(30)))).toBeCloseTo(30, 2);
    for (const late of [inDays(91), null]) await expect(make(late)).rejects.toMatchObject(tooLate);
  });

  it("has a successor for which the same holds; only the command line rotates one that needs no person", async () => {
    const rotate = async (scopes: Scope[], expiresAt?: string, by: Call = ada) => {
      const { ports, stored } = portsWith(scopes);
      await keys.rotate.execute(ports, by, { keyId, expiresAt });
      return stored[0];
    };
    const successor = await rotate(["ops.persons"]);
    expect(successor).toMatchObject({ scopes: ["ops.persons"], createdBy: "per_ada/key_1" });
    expect(daysOf(successor)).toBeCloseTo(90, 2);
    await expect(rotate(["ops.persons"], inDays(91))).rejects.toMatchObject(tooLate);
    await expect(rotate(["cards:read"])).rejects.toMatchObject(refused("command line"));
    const ofCommandLine = await rotate(["cards:read"], undefined, operatorCall);
    expect(ofCommandLine).toMatchObject({ scopes: ["cards:read"], expiresAt: null });
  });

  it("is one of an app: a key of a platform, and one of the command line, keep what the caller sends", async () => {
    const kept = { scopes: ["users:write"], expiresAt: null };
    expect(await make(null, "plt_1")).toMatchObject({ ...kept, createdBy: "per_ada/key_1" });
    const ofCommandLine = await make(undefined, internalPlatformId, operatorCall);
    expect(ofCommandLine).toMatchObject({ ...kept, createdBy: operatorCall.actor });
  });
});
