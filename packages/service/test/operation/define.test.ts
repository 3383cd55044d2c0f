import { Failure, type Scope } from "@cardbridge/domain";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import type { ActorKind, Call } from "../../src/operation/call.ts";
import type { OperationSpec } from "../../src/operation/declaration.ts";
import { defineOperation } from "../../src/operation/define.ts";
import { pass } from "../../src/operation/pass.ts";
import { callOf, codeOf, rulesOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { makeWorld } from "../support/world.ts";

const spec = {
  id: "things.do",
  kind: "write",
  summary: "Do",
  description: "Does.",
  documented: false,
  actors: ["platform", "internal", "operator"],
  scopes: ["kyc:write", "kyc:read"],
  platform: true,
  idempotent: false,
  binary: false,
  input: z.object({ name: z.string() }),
  rules: [],
  output: z.object({ name: z.string() }),
  example: { input: { name: "a" }, output: { name: "a" } },
  errors: [],
  audit: ["done", "KEY_NOT_FOUND"],
  run: async (_ports: unknown, _call: Call, { name }: { name: string }) => {
    if (name === "none") throw new Failure("KEY_NOT_FOUND");
    return { data: { name }, subject: "thing_1" };
  },
} as const satisfies OperationSpec<z.ZodType<{ name: string }, { name: string }>, z.ZodType>;
const operation = defineOperation(spec);

const ofPlatform = callOf("platform", { platformId: "plt_1", scopes: ["kyc:read"] });

describe("authorization", () => {
  it.each<{ kind: ActorKind; scope: Scope; result: string }>([
    { kind: "platform", scope: "kyc:read", result: "done" },
    { kind: "internal", scope: "kyc:read", result: "done" },
    { kind: "operator", scope: "kyc:read", result: "done" },
    { kind: "provider", scope: "kyc:read", result: "SCOPE_MISSING" },
    { kind: "platform", scope: "cards:read", result: "SCOPE_MISSING" },
    { kind: "internal", scope: "ops.records.read", result: "SCOPE_MISSING" },
  ])("of the actor $kind with $scope results in $result", async ({ kind, scope, result }) => {
    const call = callOf(kind, { platformId: "plt_1", scopes: [scope] });
    expect(await codeOf(operation.execute(fakePorts().ports, call, { name: "a" }))).toBe(result);
  });

  it("is required in the declaration", () => {
    type Declaration = Parameters<typeof defineOperation>[0];
    expectTypeOf<Omit<Declaration, "scopes">>().not.toExtend<Declaration>();
    expectTypeOf<Omit<Declaration, "actors">>().not.toExtend<Declaration>();
  });
});

it.each([
  {
    name: "a missing platform and an unsupported Idempotency-Key",
    call: callOf("internal", { scopes: ["kyc:read"], idempotencyKey: "k" }),
    idempotent: false,
    rules: ["platform-required", "idempotency-key-unsupported", "type"],
  },
  {
    name: "an invalid Idempotency-Key",
    call: { ...ofPlatform, idempotencyKey: "a b" },
    idempotent: true,
    rules: ["idempotency-key", "type"],
  },
])("an invalid input is reported together with $name", async ({ call, idempotent, rules }) => {
  const defined = defineOperation({ ...spec, idempotent });
  expect(await rulesOf(defined.execute(fakePorts().ports, call, { name: 1 }))).toEqual(rules);
});

describe("the audit", async () => {
  const { audit, platform, ports } = await makeWorld();
  const subjectsAndOutcomes = async (platformId: string) =>
    (await audit.list([platformId], { limit: 50 })).entries.reverse();

  it("records the declared outcomes under the operation's id", async () => {
    const call = { ...ofPlatform, platformId: await platform() };
    const observed: unknown[] = [];
    const observer = { observe: (_event: unknown, labels: unknown) => void observed.push(labels) };
    for (const input of [{ name: "a" }, { name: "none" }, {}])
      await codeOf(operation.execute({ ...ports, observer }, call, input));
    const entry = { operation: "things.do", actor: "actor" };
    expect(await subjectsAndOutcomes(call.platformId)).toMatchObject([
      { ...entry, subject: "thing_1", outcome: "done" },
      { ...entry, subject: null, outcome: "KEY_NOT_FOUND" },
    ]);
    expect(observed).toEqual(
      ["done", "KEY_NOT_FOUND", "INVALID_INPUT"].map((outcome) => ({ operation: "things.do", outcome })),
    );
  });

  const [done, failed] = ["done", "KEY_NOT_FOUND"];
  it.each([
    { name: "each call", changes: {}, kind: "platform" as const, entries: [done, done, failed, failed] },
    {
      name: "the first of a platform's equal reads that it polls, and each failure",
      changes: { polled: true as const },
      kind: "platform" as const,
      entries: [done, failed, failed],
    },
    {
      name: "each read of others that platforms poll",
      changes: { polled: true as const },
      kind: "internal" as const,
      entries: [done, done, failed, failed],
    },
    {
      name: "the first of equal reads within an hour that apps repeat, and each failure",
      changes: { oncePerHour: true as const },
      kind: "internal" as const,
      entries: [done, failed, failed],
    },
  ])("has an entry for $name", async ({ changes, kind, entries }) => {
    const call = { ...ofPlatform, kind, platformId: await platform() };
    const defined = defineOperation({ ...spec, ...changes });
    for (const name of ["a", "a", "none", "none"]) await codeOf(defined.execute(ports, call, { name }));
    expect((await subjectsAndOutcomes(call.platformId)).map(({ outcome }) => outcome)).toEqual(entries);
  });

  it("fails the call if its entry cannot be written", async () => {
    const asPlatform = () => Promise.reject(new Error("The connection is lost."));
    const failing = { ...ports, database: { ...ports.database, asPlatform } };
    expect(await codeOf(operation.execute(failing, ofPlatform, { name: "a" }))).toBe("SERVICE_UNAVAILABLE");
  });
});

it.each([
  { name: "is done", work: async () => 3, outcome: "done" },
  {
    name: "fails as declared",
    work: () => Promise.reject(new Failure("USER_NOT_FOUND")),
    outcome: "USER_NOT_FOUND",
  },
  { name: "fails", work: () => Promise.reject(new Error("unavailable")), outcome: "INTERNAL_ERROR" },
])("a pass that $name is counted as $outcome, and returns or throws the same", async ({ work, outcome }) => {
  const { ports, observed } = fakePorts();
  const [passed] = await Promise.allSettled([pass(ports, "files.sweep", work)]);
  const [expected] = await Promise.allSettled([work()]);
  expect(passed).toEqual(expected);
  expect(observed).toEqual([["operation_call", { operation: "files.sweep", outcome }]]);
});
