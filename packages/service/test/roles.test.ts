import {
  defaultPolicies,
  type Failure,
  operatorScope,
  type Role,
  role,
  scope,
  scopesOfRoles,
} from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { createOperations, listProcedures, type Operation } from "../src/index.ts";
import { codeOf, personCall } from "./support/calls.ts";
import { fakePorts } from "./support/fake-ports.ts";

const anyRecord = [
  ...["records.list", "records.get", "records.search", "records.counts", "records.state", "records.attempts"],
  ...["records.notes", "records.listChanges", "audit.request", "persons.me", "search.find"],
  ...["pauses.list", "service.status", "webhooks.endpointHealth"],
];
const act = [
  ...["records.refresh", "records.resend", "records.requeue", "records.addNote", "records.assign"],
  ...["records.requeueMany", "persons.colleagues"],
];
const users = ["users.show", "users.find", "users.cards"];
const webhooks = [
  ...[
    "webhooks.create",
    "webhooks.list",
    "webhooks.get",
    "webhooks.update",
    "webhooks.delete",
    "webhooks.test",
  ],
  ...["webhooks.rotateSecret", "webhooks.deliveries", "webhooks.delivery", "webhooks.redeliver"],
  ...["webhooks.redeliverFailed", "webhooks.searchDeliveries", "webhooks.redeliverMany"],
];
const platforms = ["platforms.create", "platforms.list", "platforms.rename", "processes.list"];
const audit = ["audit.list", "audit.verify", "audit.proof", "audit.caseFile"];

/**
 * What a person with each role may run, with a key that has every scope. This list is maintained manually, so that the
 * comparison finds a role or a declaration that gives too much.
 */
const allowed: Record<Role, string[]> = {
  viewer: anyRecord,
  support: [...anyRecord, ...act, ...users],
  compliance: [
    ...[...anyRecord, ...act, ...users, ...audit],
    ...["records.resolve", "users.import", "users.relink", "users.erase"],
    ...["holds.place", "holds.lift", "holds.list"],
    ...["proposals.list", "proposals.get", "proposals.confirm", "proposals.withdraw"],
    ...["records.submission", "records.submissionFile", "records.restrictedReasons"],
    ...["users.identifiers", "users.exportPart"],
  ],
  operator: [
    ...[...anyRecord, ...act, ...users, ...webhooks, ...platforms],
    ...["encryptionKeys.status", "encryptionKeys.rewrap"],
    ...["pauses.pauseProvider", "pauses.pausePlatform", "pauses.resume"],
  ],
  administrator: [
    ...[...anyRecord, ...users, ...webhooks, ...platforms, ...audit],
    ...["keys.create", "keys.list", "keys.rotate", "keys.revoke", "persons.list", "persons.block"],
  ],
};

/** What only a recent sign-in allows: decisions, erasures, and the making of keys, and pauses. */
const recent = [
  ...["records.resolve", "users.erase", "users.exportPart"],
  ...["proposals.confirm", "keys.create", "keys.rotate"],
  ...["pauses.pauseProvider", "pauses.pausePlatform"],
];

const procedures = listProcedures(createOperations(defaultPolicies));

/** A person's call through a key with these scopes. */
function callBy(
  roles: readonly Role[],
  authenticatedAt: Date | null,
  keyScopes: readonly string[] = scope.options,
) {
  const scopes = [...scopesOfRoles(roles)].filter((name) => keyScopes.includes(name));
  return { ...personCall(scopes, { roles, authenticatedAt }), platformId: "plt_1" };
}

/** The result of a call without a valid input: the operation authorizes before it reads the input. */
const resultOf = (operation: Operation, call: ReturnType<typeof callBy>, input: object | null = null) =>
  codeOf(operation.execute(fakePorts().ports, call, input));

async function admitted(call: ReturnType<typeof callBy>, result: string): Promise<string[]> {
  const results = await Promise.all(procedures.map(async (one) => [one.id, await resultOf(one, call)]));
  return results.filter(([, code]) => code === result).map(([id]) => String(id));
}

describe.each(role.options)("a person with the role %s", (name) => {
  it("may run exactly these operations", async () => {
    const found = await admitted(callBy([name], new Date()), "INVALID_INPUT");
    expect(found.sort()).toEqual([...allowed[name]].sort());
  });

  it("may run nothing through a key that has no scope of the role", async () => {
    const others = scope.options.filter((one) => !scopesOfRoles([name]).has(one as never));
    expect(await admitted(callBy([name], new Date(), others), "INVALID_INPUT")).toEqual([]);
  });

  it.each([
    ["never", null],
    ["16 minutes ago", new Date(Date.now() - 16 * 60_000)],
  ])("who signed in %s has to sign in again for what cannot be taken back", async (_name, at) => {
    const found = await admitted(callBy([name], at), "SIGN_IN_TOO_OLD");
    expect(found.sort()).toEqual(recent.filter((id) => allowed[name].includes(id)).sort());
  });
});

it.each([
  [{ blocked: false }, "SIGN_IN_TOO_OLD"],
  [{ blocked: true }, "PERSON_NOT_FOUND"],
  [{}, "PERSON_NOT_FOUND"],
])("blocks a person at once, and ends a block only after a recent sign-in: %j", async (input, result) => {
  const block = procedures.find(({ id }) => id === "persons.block") as Operation;
  const given = { personId: "per_2", ...input };
  expect(await resultOf(block, callBy(["administrator"], null), given)).toBe(result);
  expect(await resultOf(block, callBy(["administrator"], new Date()), given)).toBe("PERSON_NOT_FOUND");
});

it("a refusal names the roles to a person who has none of them, and otherwise the scope that the key lacks", async () => {
  const keys = procedures.find(({ id }) => id === "keys.list") as Operation;
  const refusal = async (call: ReturnType<typeof callBy>) => {
    const { details } = (await keys.execute(fakePorts().ports, call, {}).catch((error) => error)) as Failure;
    return details.violations?.[0]?.message;
  };
  expect(await refusal(callBy(["viewer"], null))).toBe("This requires a person with the role administrator.");
  expect(await refusal(callBy(["administrator"], null, ["ops.persons"]))).toContain("the scope ops.keys");
});

it("two roles allow what each of them allows", async () => {
  const found = await admitted(callBy(["viewer", "administrator"], new Date()), "INVALID_INPUT");
  expect(found.sort()).toEqual([...new Set([...allowed.viewer, ...allowed.administrator])].sort());
});

it("every scope of operators belongs to a role", () => {
  const all: string[] = [...scopesOfRoles(role.options)];
  expect(all.sort()).toEqual([...operatorScope.options].sort());
});

it("every operation for internal apps alone belongs to a role", () => {
  const some = new Set(Object.values(allowed).flat());
  const forOperators = procedures.filter(
    ({ actors }) => actors.includes("internal") && !actors.includes("platform"),
  );
  expect(forOperators.map(({ id }) => id).filter((id) => !some.has(id))).toEqual([]);
});
