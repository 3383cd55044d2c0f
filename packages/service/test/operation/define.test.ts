import { Failure, type Scope } from "@cardbridge/domain";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import type { ActorKind, Call } from "../../src/operation/call.ts";
import type { OperationSpec } from "../../src/operation/declaration.ts";
import { defineOperation } from "../../src/operation/define.ts";
import { pass } from "../../src/operation/pass.ts";
import { callOf, codeOf, rulesOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

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

describe("the audit", () => {
  it("records the declared outcomes under the operation's id", async () => {
    const { ports, audited, observed } = fakePorts();
    for (const input of [{ name: "a" }, { name: "none" }, {}])
      await codeOf(operation.execute(ports, ofPlatform, input));
    const entry = { platformId: "plt_1", operation: "things.do", actor: "actor" };
    expect(audited).toMatchObject([
      { ...entry, subject: "thing_1", outcome: "done" },
      { ...entry, subject: null, outcome: "KEY_NOT_FOUND" },
    ]);
    expect(observed.map(([, labels]) => labels)).toEqual(
      ["done", "KEY_NOT_FOUND", "INVALID_INPUT"].map((outcome) => ({ operation: "things.do", outcome })),
    );
  });

  /** What is written for a success and a failure of calls by a platform and an app. */
  async function written(changes: object) {
    const { ports } = fakePorts();
    const entries: string[] = [];
    ports.audit.append = async (_platformId, { outcome }) => void entries.push(`entry ${outcome}`);
    ports.audit.appendRead = async (_platformId, { outcome }) => void entries.push(`read ${outcome}`);
    ports.audit.appendHourly = async (_platformId, { outcome }) => void entries.push(`hourly ${outcome}`);
    const defined = defineOperation({ ...spec, ...changes });
    for (const call of [ofPlatform, { ...ofPlatform, kind: "internal" as const }])
      for (const name of ["a", "none"]) await codeOf(defined.execute(ports, call, { name }));
    return entries;
  }

  it("counts the successful calls of platforms that poll, and keeps each call of others", async () => {
    const [failed, done] = ["entry KEY_NOT_FOUND", "entry done"];
    expect(await written({ polled: true })).toEqual(["read done", failed, done, failed]);
  });

  it("keeps the successful calls of an operation that apps repeat once an hour, and each failure", async () => {
    const failed = "entry KEY_NOT_FOUND";
    expect(await written({ oncePerHour: true })).toEqual(["hourly done", failed, "hourly done", failed]);
  });

  it("fails the call if its entry cannot be written", async () => {
    const { ports } = fakePorts();
    ports.audit.append = () => Promise.reject(new Failure("SERVICE_UNAVAILABLE"));
    expect(await codeOf(operation.execute(ports, ofPlatform, { name: "a" }))).toBe("SERVICE_UNAVAILABLE");
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
