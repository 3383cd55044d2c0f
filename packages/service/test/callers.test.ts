import { defaultPolicies, type OperatorScope, platformScope, type Scope, scope } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createOperations, listOperations, type Operation } from "../src/index.ts";
import type { ActorKind } from "../src/operation/call.ts";
import { callOf, codeOf } from "./support/calls.ts";
import { fakePorts } from "./support/fake-ports.ts";

/** Keys with one of these scopes. */
const platforms = (...scopes: Scope[]) =>
  scopes.flatMap((name) => [`a platform's key with ${name}`, `an internal app's key with ${name}`]);
const webhooks = (name: Scope) => [
  ...platforms(name),
  "an internal app's key with ops.webhooks",
  "an operator",
];
const operators = (...scopes: OperatorScope[]) => [
  ...scopes.map((name) => `an internal app's key with ${name}`),
  "an operator",
];
/** The command line has no persons. */
const persons = (...scopes: OperatorScope[]) =>
  operators(...scopes).filter((caller) => caller !== "an operator");
const provider = ["the provider"];

/**
 * The public surface: the callers of each operation and its REST route. Platforms may rely on a route as soon as it
 * exists. This list is maintained manually, so that the comparison finds a wrong actor, scope or route.
 */
const surface: Record<string, { callers: string[]; route?: string }> = {
  "cards.list": { callers: platforms("cards:read"), route: "GET /cards/list" },
  "cards.get": { callers: platforms("cards:read"), route: "GET /cards/{cardId}" },
  "kyc.submit": { callers: platforms("kyc:write"), route: "POST /users/kyc" },
  "kyc.get": { callers: platforms("kyc:read"), route: "GET /users/kyc" },
  "kyc.history": { callers: platforms("kyc:read"), route: "GET /users/kyc/{kycRecordId}" },
  "kyc.answerRequest": {
    callers: platforms("kyc:write"),
    route: "POST /users/kyc/{kycRecordId}/requests/{documentRequestId}",
  },
  "sandbox.act": { callers: platforms("sandbox:act"), route: "POST /sandbox/acts" },
  "kyc.listChanges": { callers: platforms("kyc:read") },
  "kyc.validate": { callers: platforms("kyc:write"), route: "POST /users/kyc/validate" },
  "kyc.requirements": { callers: platforms(...platformScope.options), route: "GET /users/kyc/requirements" },
  "files.upload": { callers: platforms("files:write"), route: "POST /files" },
  "files.uploadToUrl": { callers: platforms("files:write") },
  "files.createUploadUrl": { callers: platforms("files:write") },
  "files.read": { callers: [...platforms("files:write", "kyc:read"), ...provider] },
  "records.list": { callers: operators("ops.records.read") },
  "records.get": { callers: operators("ops.records.read") },
  "records.refresh": { callers: operators("ops.records.act") },
  "records.resend": { callers: operators("ops.records.act") },
  "records.resolve": { callers: operators("ops.records.decide") },
  "users.show": { callers: operators("ops.users.read") },
  "users.import": { callers: operators("ops.users.write") },
  "users.relink": { callers: operators("ops.users.write") },
  "users.changeEmail": { callers: platforms("users:write"), route: "POST /users/email" },
  "users.erase": { callers: operators("ops.users.write") },
  "users.export": { callers: ["an operator"] },
  "holds.place": { callers: operators("ops.compliance") },
  "holds.lift": { callers: operators("ops.compliance") },
  "holds.list": { callers: operators("ops.compliance") },
  "platforms.create": { callers: operators("ops.platforms") },
  "platforms.list": { callers: operators("ops.platforms") },
  "platforms.rename": { callers: operators("ops.platforms") },
  "keys.create": { callers: operators("ops.keys") },
  "keys.list": { callers: operators("ops.keys") },
  "keys.rotate": { callers: operators("ops.keys") },
  "keys.revoke": { callers: operators("ops.keys") },
  "encryptionKeys.status": { callers: operators("ops.encryption") },
  "encryptionKeys.rewrap": { callers: operators("ops.encryption") },
  "processes.list": { callers: operators("ops.platforms") },
  "audit.verify": { callers: operators("ops.audit") },
  "audit.list": { callers: operators("ops.audit") },
  "audit.proof": { callers: operators("ops.audit") },
  "audit.caseFile": { callers: operators("ops.audit") },
  "restore.check": { callers: ["an operator"] },
  "audit.export": { callers: ["an operator"] },
  "audit.drop": { callers: ["an operator"] },
  "records.search": { callers: operators("ops.records.read") },
  "records.counts": { callers: operators("ops.records.read") },
  "records.state": { callers: operators("ops.records.read") },
  "records.attempts": { callers: operators("ops.records.read") },
  "records.notes": { callers: operators("ops.records.read") },
  "records.addNote": { callers: operators("ops.records.act") },
  "records.assign": { callers: operators("ops.records.act") },
  "records.requeue": { callers: operators("ops.records.act") },
  "records.requeueMany": { callers: operators("ops.records.act") },
  "pauses.pauseProvider": { callers: operators("ops.pauses") },
  "pauses.pausePlatform": { callers: operators("ops.pauses") },
  "pauses.resume": { callers: operators("ops.pauses") },
  "pauses.list": { callers: operators("ops.records.read") },
  "service.status": { callers: operators("ops.records.read") },
  "records.listChanges": { callers: operators("ops.records.read") },
  "records.submission": { callers: persons("ops.evidence") },
  "records.submissionFile": { callers: persons("ops.evidence") },
  "records.restrictedReasons": { callers: persons("ops.compliance") },
  "users.identifiers": { callers: persons("ops.evidence") },
  "users.exportPart": { callers: persons("ops.evidence") },
  "users.find": { callers: operators("ops.users.read") },
  "users.cards": { callers: operators("ops.users.read") },
  "search.find": {
    callers: operators("ops.users.read", "ops.records.read", "ops.webhooks", "ops.platforms", "ops.keys"),
  },
  "audit.request": { callers: operators("ops.records.read") },
  "proposals.list": { callers: operators("ops.records.decide", "ops.users.write", "ops.compliance") },
  "proposals.get": { callers: operators("ops.records.decide", "ops.users.write", "ops.compliance") },
  "proposals.withdraw": { callers: operators("ops.records.decide", "ops.users.write", "ops.compliance") },
  "proposals.confirm": {
    callers: operators("ops.records.decide", "ops.users.write", "ops.compliance").filter(
      (caller) => caller !== "an operator",
    ),
  },
  "persons.me": {
    callers: operators("ops.records.read", "ops.users.read", "ops.platforms", "ops.keys", "ops.audit").filter(
      (caller) => caller !== "an operator",
    ),
  },
  "persons.colleagues": { callers: operators("ops.records.act") },
  "persons.list": { callers: operators("ops.persons") },
  "persons.block": { callers: operators("ops.persons") },
  "webhooks.searchDeliveries": { callers: operators("ops.webhooks") },
  "webhooks.redeliverMany": { callers: operators("ops.webhooks") },
  "webhooks.endpointHealth": { callers: operators("ops.records.read") },
  "webhooks.create": { callers: webhooks("webhooks:write"), route: "POST /webhooks" },
  "webhooks.list": { callers: webhooks("webhooks:read"), route: "GET /webhooks" },
  "webhooks.get": { callers: webhooks("webhooks:read"), route: "GET /webhooks/{endpointId}" },
  "webhooks.update": { callers: webhooks("webhooks:write"), route: "PATCH /webhooks/{endpointId}" },
  "webhooks.delete": { callers: webhooks("webhooks:write"), route: "DELETE /webhooks/{endpointId}" },
  "webhooks.rotateSecret": {
    callers: webhooks("webhooks:write"),
    route: "POST /webhooks/{endpointId}/rotate-secret",
  },
  "webhooks.test": { callers: webhooks("webhooks:write"), route: "POST /webhooks/{endpointId}/test" },
  "webhooks.deliveries": {
    callers: webhooks("webhooks:read"),
    route: "GET /webhooks/{endpointId}/deliveries",
  },
  "webhooks.delivery": {
    callers: webhooks("webhooks:read"),
    route: "GET /webhooks/{endpointId}/deliveries/{deliveryId}",
  },
  "webhooks.redeliver": {
    callers: webhooks("webhooks:write"),
    route: "POST /webhooks/{endpointId}/deliveries/{deliveryId}/redeliver",
  },
  "webhooks.redeliverFailed": {
    callers: webhooks("webhooks:write"),
    route: "POST /webhooks/{endpointId}/redeliver",
  },
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

/** The names of the callers that pass authorization. They send no input. */
async function admitted(operation: Operation): Promise<string[]> {
  const { ports } = fakePorts();
  const names: string[] = [];
  for (const { name, call } of everyCaller) {
    const code = await codeOf(operation.execute(ports, call, null));
    expect(["SCOPE_MISSING", "INVALID_INPUT"]).toContain(code);
    if (code === "INVALID_INPUT") names.push(name);
  }
  return names;
}

const operations = listOperations(createOperations(defaultPolicies));

it.each(operations)("$id admits only its callers", async (operation) => {
  const wanted = surface[operation.id]?.callers ?? [];
  expect((await admitted(operation)).sort(), "Update its callers in `surface`.").toEqual([...wanted].sort());
});

it.each(operations)("$id has the expected REST route", ({ id, rest }) => {
  const route = rest && `${rest.method.toUpperCase()} ${rest.path}`;
  expect(route, "Update its route in `surface`.").toBe(surface[id]?.route);
});

it("the public surface lists exactly the existing operations", () => {
  expect(Object.keys(surface).sort()).toEqual(operations.map(({ id }) => id).sort());
});
