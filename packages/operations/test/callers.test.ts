import { defaultPolicies, Failure, platformScope, type Scope, scope } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createOperations, listOperations, type Operation } from "../src/index.ts";
import type { ActorKind } from "../src/operation/call.ts";
import { callOf } from "./support/calls.ts";
import { fakePorts } from "./support/fake-ports.ts";

/** Keys with one of these scopes. */
const platforms = (...scopes: Scope[]) =>
  scopes.flatMap((name) => [`a platform's key with ${name}`, `an internal app's key with ${name}`]);
const webhooks = (name: Scope) => [...platforms(name), "an operator"];
const operators = ["an internal app's key with admin", "an operator"];
const provider = ["the provider"];

/**
 * Who may run each operation. This list is written by hand: the declarations are compared with it, so a wrong actor or
 * scope in one of them is found.
 */
const callers: Record<string, string[]> = {
  "cards.list": platforms("cards:read"),
  "cards.get": platforms("cards:read"),
  "kyc.submit": platforms("kyc:write"),
  "kyc.get": platforms("kyc:read"),
  "kyc.history": platforms("kyc:read"),
  "kyc.listChanges": platforms("kyc:read"),
  "kyc.validate": platforms("kyc:write"),
  "kyc.requirements": platforms(...platformScope.options),
  "files.upload": platforms("files:write"),
  "files.createUploadUrl": platforms("files:write"),
  "files.read": [...platforms("files:write", "kyc:read"), ...provider],
  "records.list": operators,
  "records.show": operators,
  "records.ask": operators,
  "records.resend": operators,
  "records.settle": operators,
  "users.show": operators,
  "users.import": operators,
  "users.relink": operators,
  "users.changeEmail": platforms("users:write"),
  "users.erase": operators,
  "platforms.create": operators,
  "platforms.list": operators,
  "platforms.rename": operators,
  "keys.create": operators,
  "keys.list": operators,
  "keys.rotate": operators,
  "keys.revoke": operators,
  "encryptionKeys.status": operators,
  "encryptionKeys.rewrap": operators,
  "audit.list": operators,
  "audit.verify": operators,
  "webhooks.create": webhooks("webhooks:write"),
  "webhooks.list": webhooks("webhooks:read"),
  "webhooks.get": webhooks("webhooks:read"),
  "webhooks.update": webhooks("webhooks:write"),
  "webhooks.delete": webhooks("webhooks:write"),
  "webhooks.rotateSecret": webhooks("webhooks:write"),
  "webhooks.test": webhooks("webhooks:write"),
  "webhooks.deliveries": webhooks("webhooks:read"),
  "webhooks.delivery": webhooks("webhooks:read"),
  "webhooks.redeliver": webhooks("webhooks:write"),
  "webhooks.redeliverFailed": webhooks("webhooks:write"),
};

const keyless: [ActorKind, string][] = [
  ["operator", "an operator"],
  ["provider", "the provider"],
];
const withKey: [ActorKind, string][] = [
  ["platform", "a platform's key"],
  ["internal", "an internal app's key"],
];
const everyCaller = [
  ...keyless.map(([kind, name]) => ({ name, call: callOf(kind, { platformId: "plt_1" }) })),
  ...withKey.flatMap(([kind, name]) => [
    { name: `${name} without a scope`, call: callOf(kind, { platformId: "plt_1" }) },
    ...scope.options.map((one) => ({
      name: `${name} with ${one}`,
      call: callOf(kind, { platformId: "plt_1", scopes: [one] }),
    })),
  ]),
];

/** The names of the callers who get as far as their input, which is none. */
async function admitted(operation: Operation): Promise<string[]> {
  const { ports } = fakePorts();
  const names: string[] = [];
  for (const { name, call } of everyCaller) {
    const failure: unknown = await operation.execute(ports, call, null).catch((error) => error);
    const code = failure instanceof Failure ? failure.code : failure;
    expect(["SCOPE_MISSING", "INVALID_INPUT"]).toContain(code);
    if (code === "INVALID_INPUT") names.push(name);
  }
  return names;
}

const operations = listOperations(createOperations(defaultPolicies));

it.each(operations)("$id is run by its callers, and by nobody else", async (operation) => {
  const wanted = callers[operation.id];
  expect(wanted, "Say in `callers` who may run it.").toBeDefined();
  expect((await admitted(operation)).sort()).toEqual([...(wanted ?? [])].sort());
});

it("knows no operation that is gone", () => {
  expect(Object.keys(callers).sort()).toEqual(operations.map(({ id }) => id).sort());
});
