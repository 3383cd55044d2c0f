import type { Ports } from "@cardbridge/service";
import { TRPCError } from "@trpc/server";
import { HTTPException } from "hono/http-exception";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { problem } from "../../src/http/errors/problem.ts";
import { type Served, serve } from "../../src/server/serve.ts";
import { type Binding, bindings } from "../support/bindings.ts";
import { fakeApp, fakePorts, fullKey } from "../support/fakes.ts";
import { needsPerson, operatorScopes } from "../support/operator-scopes.ts";

/**
 * Unexpected errors can contain any value: callers get a request id, and the log gets the error's name and location.
 */
const secret = "Secret.5f0c@example.com";
const carrying = (error: Error) => Object.assign(error, { detail: secret, params: [secret], query: secret });

const unexpected: Record<string, () => unknown> = {
  "an error with details": () => carrying(new TypeError(secret)),
  "an error with a cause": () => new Error(secret, { cause: carrying(new RangeError(secret)) }),
  "an error whose message looks like a stack line": () =>
    new Error(`x\n    at ${secret} (file:///${secret}.ts:1:1)`),
  "an error whose message was changed": () =>
    Object.assign(new Error(`x\n    at ${secret}`), { message: "y" }),
  "several errors at once": () => new AggregateError([new Error(secret)], secret),
  "an error of tRPC": () => new TRPCError({ code: "NOT_FOUND", message: secret, cause: new Error(secret) }),
  "an error of hono": () => new HTTPException(418, { message: secret, res: new Response(secret) }),
  "an object": () => ({ message: secret }),
};

let thrown: () => unknown;
const adminKey = generateApiKey("test", "internal");
const { app, lines } = fakeApp({
  ports: throwing(fakePorts({ act: async () => ({ cardId: null }) }).ports),
  keys: { [adminKey]: operatorScopes },
});
let server: Served;
beforeAll(async () => {
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close(0));

/** Ports whose methods all throw. */
function throwing(ports: Ports): Ports {
  const failing = <T extends object>(port: T): T => {
    const fail = async () => {
      throw thrown();
    };
    return Object.fromEntries(Object.keys(port).map((name) => [name, fail])) as T;
  };
  const atOnce = () => {
    throw thrown();
  };
  // These do no input or output.
  const pure = [
    "ids",
    "generateKey",
    "generateWebhookSecret",
    "observer",
    "inspector",
    "fileUrls",
    "providerSlots",
  ];
  const others = Object.entries(ports).filter(([name]) => ![...pure, "externalFiles"].includes(name));
  const failed = Object.fromEntries(others.map(([name, port]) => [name, failing(port)]));
  return {
    ...ports,
    ...failed,
    fileUrls: { ...ports.fileUrls, uploadUrl: atOnce },
  };
}

async function call({ operation, transport, request }: Binding) {
  const { path, headers, ...init } = request(operation.example.input as Record<string, unknown>);
  const authorization = `Bearer ${operation.reach !== undefined ? adminKey : fullKey}`;
  const response = await fetch(`${server.url}${path}`, { ...init, headers: { ...headers, authorization } });
  const text = await response.text();
  const body = JSON.parse(text);
  return {
    status: response.status,
    text,
    problem: transport === "REST" ? body : body.error.data.problem,
    response,
  };
}

/** The bindings that use ports, for a key alone. kyc.requirements uses none. */
const withPorts = bindings.filter(
  ({ operation }) => operation.id !== "kyc.requirements" && !needsPerson(operation),
);
/** One binding of each transport and kind: all bindings of a kind handle a port's error in the same code. */
const ofKinds = [
  ...Map.groupBy(withPorts, ({ transport, operation: { kind } }) => `${transport} ${kind}`).values(),
].flatMap(([binding]) => binding ?? []);

async function expectOnlyRequestId(binding: Binding, name: string) {
  thrown = unexpected[name] ?? thrown;
  const before = lines.length;
  const { status, text, problem: body, response } = await call(binding);
  expect(status).toBe(500);
  const { requestId, ...rest } = problem.parse(body);
  expect(rest).toEqual({
    type: "/docs/platforms/errors#internal_error",
    title: "Internal error",
    success: false,
    ...(binding.operation.id.startsWith("kyc.") ? { status: null } : {}),
    code: "INTERNAL_ERROR",
    message: "An unexpected error occurred.",
    errors: [],
  });
  expect(requestId).toMatch(/^req_/);
  expect(response.headers.get("x-request-id")).toBe(requestId);
  const all = [text, ...[...response.headers].flat(), ...lines.slice(before)].join("\n");
  expect(all).not.toMatch(/Secret\.5f|5f0c@example/i);
  const [line = "{}"] = lines.slice(before).filter((one) => one.includes("unexpected error"));
  expect(JSON.parse(line)).toMatchObject({ requestId, error: expect.any(String) });
}

it.each(withPorts)(
  "$operation.id over $transport, with a failing port, returns only a request id",
  (binding) => expectOnlyRequestId(binding, "an error with details"),
);

describe.each(ofKinds)("$operation.id over $transport, with a port that throws", (binding) => {
  it.each(Object.keys(unexpected))("%s, returns only a request id", (name) =>
    expectOnlyRequestId(binding, name),
  );
});
