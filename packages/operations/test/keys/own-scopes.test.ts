import {
  defaultPolicies,
  internalPlatformId,
  type KeyFacts,
  type Person,
  type Scope,
} from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createOperations } from "../../src/index.ts";
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
  expect((await create(scopes)).data.scopes).toEqual(scopes);
  expect((await create(["kyc:write"], "plt_1")).data.scopes).toEqual(["kyc:write"]);
});

it("a caller grants no scope of operators that it does not have", async () => {
  await expect(create(["ops.records.read", "ops.records.decide", "ops.persons"])).rejects.toMatchObject(
    refused("ops.records.decide", "ops.persons"),
  );
});

it("a person grants scopes of operators only to keys that need a person", async () => {
  const person: Person = {
    personId: "per_1",
    roles: ["administrator"],
    platforms: "all",
    authenticatedAt: new Date(),
    expiresAt: new Date(Date.now() + 60_000),
  };
  const scopes: Scope[] = ["ops.keys", "ops.persons"];
  const call = { ...callOf("internal", { scopes }), person };
  await expect(create(["ops.keys"], internalPlatformId, call)).rejects.toMatchObject(refused("ops.persons"));
  expect((await create(scopes, internalPlatformId, call)).data.scopes).toEqual(scopes);
  expect((await create(["cards:read"], internalPlatformId, call)).data.scopes).toEqual(["cards:read"]);
});

it("a rotation is refused for a key with more scopes than the caller has", async () => {
  const rotate = (scopes: Scope[]) =>
    keys.rotate.execute(portsWith(scopes), caller, { keyId: exampleKey.keyId });
  await expect(rotate(["ops.compliance"])).rejects.toMatchObject(refused("ops.compliance"));
  expect((await rotate(["ops.keys", "cards:read"])).data.key).toEqual(expect.any(String));
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
