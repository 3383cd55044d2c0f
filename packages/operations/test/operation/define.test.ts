import { Failure } from "@cardbridge/domain";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import type { ActorKind, Call } from "../../src/operation/call.ts";
import type { OperationSpec } from "../../src/operation/declaration.ts";
import { defineOperation } from "../../src/operation/define.ts";
import { callOf } from "../support/calls.ts";
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

const codeOf = (call: Call, raw: unknown = { name: "a" }) =>
  operation.execute(fakePorts().ports, call, raw).then(
    () => "done",
    (error: unknown) => (error instanceof Failure ? error.code : error),
  );

describe("authorization", () => {
  it.each<[ActorKind, string]>([
    ["platform", "done"],
    ["internal", "done"],
    ["operator", "done"],
    ["provider", "SCOPE_MISSING"],
  ])("of the actor %s results in %s", async (kind, result) => {
    expect(await codeOf(callOf(kind, { platformId: "plt_1", scopes: ["kyc:read"] }))).toBe(result);
  });

  it("refuses a key without any of its scopes", async () => {
    const scopes = ["cards:read", "ops.records.read"] as const;
    for (const kind of ["platform", "internal"] as const)
      expect(await codeOf(callOf(kind, { platformId: "plt_1", scopes }))).toBe("SCOPE_MISSING");
  });

  it("is required in the declaration", () => {
    type Declaration = Parameters<typeof defineOperation>[0];
    expectTypeOf<Omit<Declaration, "scopes">>().not.toExtend<Declaration>();
    expectTypeOf<Omit<Declaration, "actors">>().not.toExtend<Declaration>();
  });
});

describe("an invalid call", () => {
  it("reports a missing platform, an unsupported Idempotency-Key and the input's violations together", async () => {
    const call = callOf("internal", { scopes: ["kyc:read"], idempotencyKey: "k" });
    const failure = await operation.execute(fakePorts().ports, call, { name: 1 }).catch((error) => error);
    expect(failure.code).toBe("INVALID_INPUT");
    expect(failure.details.violations.map(({ rule }: { rule: string }) => rule)).toEqual([
      "platform-required",
      "idempotency-key-unsupported",
      "type",
    ]);
  });
});

describe("an Idempotency-Key", () => {
  it("is validated together with the input", async () => {
    const idempotent = defineOperation({ ...spec, idempotent: true });
    const call = callOf("platform", { platformId: "plt_1", scopes: ["kyc:read"], idempotencyKey: "a b" });
    const failure = await idempotent.execute(fakePorts().ports, call, { name: 1 }).catch((error) => error);
    expect(failure.details.violations.map(({ rule }: { rule: string }) => rule)).toEqual([
      "idempotency-key",
      "type",
    ]);
  });
});

describe("the audit", () => {
  it("records the declared outcomes under the operation's id", async () => {
    const { ports, audited, observed } = fakePorts();
    const call = callOf("platform", { platformId: "plt_1", scopes: ["kyc:read"] });
    await operation.execute(ports, call, { name: "a" });
    await operation.execute(ports, call, { name: "none" }).catch(() => {});
    await operation.execute(ports, call, {}).catch(() => {});
    const entry = { platformId: "plt_1", operation: "things.do", actor: "actor" };
    expect(audited).toMatchObject([
      { ...entry, subject: "thing_1", outcome: "done" },
      { ...entry, subject: null, outcome: "KEY_NOT_FOUND" },
    ]);
    expect(observed.map(([, labels]) => labels)).toEqual(
      ["done", "KEY_NOT_FOUND", "INVALID_INPUT"].map((outcome) => ({ operation: "things.do", outcome })),
    );
  });

  it("counts the successful calls of platforms that poll, and keeps each call of others", async () => {
    const { ports } = fakePorts();
    const written: string[] = [];
    ports.audit.append = async (_platformId, { outcome }) => void written.push(`entry ${outcome}`);
    ports.audit.appendRead = async (_platformId, { outcome }) => void written.push(`read ${outcome}`);
    const polled = defineOperation({ ...spec, polled: true });
    const options = { platformId: "plt_1", scopes: ["kyc:read"] } as const;
    for (const kind of ["platform", "internal"] as const) {
      await polled.execute(ports, callOf(kind, options), { name: "a" });
      await polled.execute(ports, callOf(kind, options), { name: "none" }).catch(() => {});
    }
    expect(written).toEqual(["read done", "entry KEY_NOT_FOUND", "entry done", "entry KEY_NOT_FOUND"]);
  });

  it("keeps the successful calls of an operation that apps repeat once an hour, and each failure", async () => {
    const { ports } = fakePorts();
    const written: string[] = [];
    ports.audit.append = async (_platformId, { outcome }) => void written.push(`entry ${outcome}`);
    ports.audit.appendHourly = async (platformId, { outcome, subject }) =>
      void written.push(`${platformId} ${subject} ${outcome}`);
    const repeated = defineOperation({ ...spec, oncePerHour: true });
    const call = callOf("internal", { platformId: "plt_1", scopes: ["kyc:read"] });
    await repeated.execute(ports, call, { name: "a" });
    await repeated.execute(ports, call, { name: "none" }).catch(() => {});
    expect(written).toEqual(["plt_1 thing_1 done", "entry KEY_NOT_FOUND"]);
  });

  it("fails the call if its entry cannot be written", async () => {
    const { ports } = fakePorts();
    ports.audit.append = () => Promise.reject(new Failure("SERVICE_UNAVAILABLE"));
    const call = callOf("platform", { platformId: "plt_1", scopes: ["kyc:read"] });
    await expect(operation.execute(ports, call, { name: "a" })).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
  });
});
