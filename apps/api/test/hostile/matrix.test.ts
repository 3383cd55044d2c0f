import { type ErrorCode, parseInput, scope } from "@cardbridge/domain";
import { putApiKey } from "@cardbridge/store";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { hashApiKey, mintApiKey } from "../../src/auth/api-key.ts";
import { demoKeys } from "../../src/auth/demo-keys.ts";
import { carriage } from "../../src/errors.ts";
import type { defineOperation, OperationSpec } from "../../src/operations/operation.ts";
import { exampleSubmission } from "../../src/operations/submit-kyc.example.ts";
import { restSubmit } from "../support/call.ts";
import { startWorld } from "../support/world.ts";
import { type Binding, bindings, exampleOf } from "./calls.ts";
import { exchange, type WireAnswer } from "./exchange.ts";
import { judge } from "./judge.ts";
import { type Message, type Mutation, withHeaders, without } from "./message.ts";
import { openStores, type Stores } from "./stores.ts";

/**
 * Every route and procedure × who calls × what is wrong with the call, each with the answer that it has to get.
 * A new operation is in it by itself.
 */

/** In which order a call is looked at: the first that is wrong is what it is answered with. */
const stages = ["head", "route", "key", "procedure", "reading", "scope", "input", "run"] as const;
type Verdict = { stage: (typeof stages)[number]; code: ErrorCode } | undefined;

const keys = {
  unknown: mintApiKey("live"),
  expired: mintApiKey("live"),
  revoked: mintApiKey("live"),
  ...Object.fromEntries(scope.options.map((name) => [name, mintApiKey("live")])),
} as Record<string, string>;
const lacking = (name: string) => keys[name] ?? "";

interface Actor {
  name: string;
  authorization(binding: Binding): string | undefined;
  verdict(binding: Binding): Verdict;
}

const nobody = (name: string, authorization: string | undefined): Actor => ({
  name,
  authorization: () => authorization,
  verdict: () => ({ stage: "key", code: "UNAUTHENTICATED" }),
});
const actors: Actor[] = [
  nobody("nobody", undefined),
  nobody("a garbled key", "Bearer cb_live_garbled"),
  nobody("a key as a password", `Basic ${btoa(`${demoKeys.first}:`)}`),
  nobody("an unknown key", `Bearer ${keys.unknown}`),
  nobody("an expired key", `Bearer ${keys.expired}`),
  nobody("a revoked key", `Bearer ${keys.revoked}`),
  {
    name: "a key with every scope but the one",
    authorization: ({ operation }) => `Bearer ${lacking(operation.scope)}`,
    verdict: () => ({ stage: "scope", code: "SCOPE_MISSING" }),
  },
  {
    name: "another platform's key",
    authorization: () => `Bearer ${demoKeys.second}`,
    verdict: ({ operation }) =>
      operation.kind === "query" ? { stage: "run", code: notFound(operation.errors) } : undefined,
  },
  { name: "the right key", authorization: () => `Bearer ${demoKeys.first}`, verdict: () => undefined },
];

/** The first of an operation's codes that travels as 404. */
const notFound = (codes: readonly ErrorCode[]) =>
  codes.find((code) => carriage[code].status === 404) ?? "INTERNAL_ERROR";

interface Defect {
  name: string;
  verdict: Verdict;
  /** Undefined where this cannot be wrong with such a call. */
  input?(binding: Binding): unknown;
  mutate?: Mutation;
}

const isTrpc = ({ path }: Binding) => path.startsWith("/trpc/");
const header = (name: string, value: string): Mutation => {
  return (message) => withHeaders(without(message, name), [name, value]);
};
const body = (text: string): Mutation => {
  return (message) => ({ ...message, body: Buffer.from(text) });
};

function defectsOf(binding: Binding): Defect[] {
  const { operation, method } = binding;
  const other = method === "GET" ? "POST" : "GET";
  const wrongMethod = { stage: isTrpc(binding) ? "procedure" : "route", code: "METHOD_NOT_ALLOWED" } as const;
  const malformed = { stage: "reading", code: "MALFORMED_REQUEST" } as const;
  const unsupported = { stage: "reading", code: "UNSUPPORTED_MEDIA_TYPE" } as const;
  const invalid = { stage: "input", code: "INVALID_INPUT" } as const;
  // A path always names something.
  const needsInput = !binding.path.includes("{") && !parseInput(operation.input, operation.rules, {}).ok;
  return [
    { name: "nothing", verdict: undefined },
    { name: "a method that is not there", verdict: wrongMethod, mutate: (m) => ({ ...m, method: "DELETE" }) },
    ...(isTrpc(binding)
      ? [
          {
            name: "the other method",
            verdict: wrongMethod,
            mutate: (m: Message) => ({ ...m, method: other }),
          },
        ]
      : []),
    {
      name: "a target beyond its limit",
      verdict: { stage: "head", code: "URI_TOO_LONG" },
      mutate: (m) => ({
        ...m,
        target: `${m.target}${m.target.includes("?") ? "&" : "?"}x=${"x".repeat(9_000)}`,
      }),
    },
    {
      name: "headers beyond their limit",
      verdict: { stage: "head", code: "HEADERS_TOO_LARGE" },
      mutate: header("x", "x".repeat(17_000)),
    },
    {
      name: "two hosts",
      verdict: { stage: "head", code: "MALFORMED_REQUEST" },
      mutate: (m) => withHeaders(m, ["Host", "b"]),
    },
    ...(needsInput ? [{ name: "no input", verdict: invalid, input: () => ({}) }] : []),
    ...(method === "POST" ? defectsOfBodies() : defectsOfQueries()),
  ];

  function defectsOfBodies(): Defect[] {
    return [
      {
        name: "another origin",
        verdict: { stage: "head", code: "CROSS_ORIGIN" },
        mutate: header("Origin", "https://evil.test"),
      },
      { name: "another media type", verdict: unsupported, mutate: header("Content-Type", "text/plain") },
      { name: "no media type", verdict: unsupported, mutate: (m) => without(m, "content-type") },
      { name: "a coded body", verdict: unsupported, mutate: header("Content-Encoding", "gzip") },
      { name: "no JSON", verdict: malformed, mutate: body("{") },
      { name: "no body", verdict: malformed, mutate: body("") },
      {
        name: "JSON nested too deep",
        verdict: malformed,
        mutate: body(`${"[".repeat(99)}${"]".repeat(99)}`),
      },
      {
        name: "a body beyond its limit",
        verdict: { stage: "reading", code: "PAYLOAD_TOO_LARGE" },
        mutate: body(`"${"x".repeat(70_000)}"`),
      },
      {
        name: "an idempotency key that is none",
        verdict: { stage: "reading", code: "INVALID_INPUT" },
        mutate: header("Idempotency-Key", "a b"),
      },
      { name: "null for an input", verdict: invalid, input: () => null },
      { name: "null in a field", verdict: invalid, input: () => withFirst(null) },
    ];
  }

  function defectsOfQueries(): Defect[] {
    return [
      {
        name: "broken percent-encoding",
        verdict: malformed,
        mutate: (m) => ({ ...m, target: `${m.target}${m.target.includes("?") ? "&" : "?"}x=%E0%A4` }),
      },
      { name: "a control character in a field", verdict: invalid, input: () => withFirst("\u0000") },
      {
        name: "the name of somebody unknown",
        verdict: { stage: "run", code: notFound(operation.errors) },
        input: () => exampleOf(operation, 1),
      },
    ];
  }

  function withFirst(value: unknown): object {
    const input = rightInput(binding);
    return { ...input, [Object.keys(input)[0] ?? ""]: value };
  }
}

let world: Awaited<ReturnType<typeof startWorld>>;
let stores: Stores;
let kycRecordId = "";

beforeAll(async () => {
  world = await startWorld({ events: false });
  for (const [name, key] of Object.entries(keys).filter(([name]) => name !== "unknown")) {
    await putApiKey(world.adminUrl, {
      keyId: `key_${name}`,
      platformId: "plt_demo_one",
      name,
      prefix: name,
      hash: hashApiKey(key),
      scopes: scope.options.filter((option) => option !== name),
      expiresAt: name === "expired" ? new Date(0) : undefined,
    });
  }
  const admin = new Client({ connectionString: world.adminUrl });
  await admin.connect();
  await admin.query("update api_keys set revoked_at = now() where id = 'key_revoked'");
  await admin.end();
  const { body } = await restSubmit(world.caller(), exampleSubmission.input);
  kycRecordId = (body as { kycRecordId: string }).kycRecordId;
  stores = await openStores(world.adminUrl);
});
afterAll(async () => {
  await stores.close();
  await world.stop();
});

/** The example of an operation, for the one user who has submitted it here. */
function rightInput({ operation }: Binding): Record<string, unknown> {
  const known: Record<string, unknown> = { memberId: exampleSubmission.input.memberId, kycRecordId };
  const fields = Object.entries(operation.example.input as Record<string, unknown>);
  return Object.fromEntries(fields.map(([name, value]) => [name, known[name] ?? value]));
}

function call(binding: Binding, actor: Actor, { input, mutate }: Defect): Message {
  const authorization = actor.authorization(binding);
  const message: Message = {
    operation: binding.name,
    ...binding.write(input ? input(binding) : rightInput(binding)),
    version: "HTTP/1.1",
    headers: [
      ["Host", "a"],
      ["Content-Type", "application/json"],
      ["Connection", "close"],
      ...(authorization === undefined ? [] : [["Authorization", authorization] as const]),
    ],
    hasKey: actor.verdict(binding)?.stage !== "key",
    isWhole: true,
    pieces: 1,
    damage: [],
  };
  return mutate ? mutate(message) : message;
}

/** What comes first of what is wrong with the caller and with the call. */
function expected(...verdicts: Verdict[]): string {
  const [first] = verdicts
    .flatMap((verdict) => verdict ?? [])
    .sort((a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage));
  return first ? `${carriage[first.code].status} ${first.code}` : "success";
}

function told({ status, body }: WireAnswer): string {
  if (status < 300) return "success";
  const json = JSON.parse(body);
  return `${status} ${(json.error?.data.problem ?? json).code}`;
}

/** Queries first: what the other platform submits later is not there yet. */
const ordered = [...bindings].sort((a, b) => b.operation.kind.localeCompare(a.operation.kind));

describe.each(ordered.map((binding) => [binding.name, binding] as const))("%s", (_name, binding) => {
  it.each(actors)("called with $name", async (actor) => {
    const cells: Record<string, [expected: string, got: string]> = {};
    for (const defect of defectsOf(binding)) {
      const before = await stores.look();
      const message = call(binding, actor, defect);
      const answers = await exchange(world.url, message);
      judge(message, answers);
      const wanted = expected(actor.verdict(binding), defect.verdict);
      cells[defect.name] = [wanted, answers.map(told).join()];
      if (wanted !== "success") expect([defect.name, await stores.look()]).toEqual([defect.name, before]);
    }
    const wrong = Object.entries(cells).filter(([, [wanted, got]]) => wanted !== got);
    expect(wrong).toEqual([]);
    expect(Object.keys(cells).length).toBeGreaterThanOrEqual(8);
  });
});

it("holds every route and every procedure of every operation", () => {
  const ids = new Set(bindings.map(({ operation }) => operation.id));
  expect(bindings.map(({ name }) => name).sort()).toEqual(
    [...ids].flatMap((id) => [`REST ${id}`, `tRPC ${id}`]).sort(),
  );
});

it("an operation without a scope cannot be declared", () => {
  type Scopeless = Omit<Parameters<typeof defineOperation>[0], "scope">;
  expectTypeOf<Scopeless>().not.toExtend<Parameters<typeof defineOperation>[0]>();
  expectTypeOf<OperationSpec<never, never>["scope"]>().toEqualTypeOf<(typeof scope.options)[number]>();
});
