import { defaultPolicies, Failure } from "@cardbridge/domain";
import { trpcServer } from "@hono/trpc-server";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { HttpEnv } from "../src/http/context.ts";
import { type Call, createOperations, type Ports } from "../src/operations/index.ts";
import { exampleSubmission } from "../src/operations/submit-kyc.example.ts";
import { callProcedure } from "../src/trpc/call-procedure.ts";
import { createRouter } from "../src/trpc/router.ts";
import { fakePorts } from "./support/fakes.ts";

/** tRPC's own adapter, which we do without (ADR 10), is asked the same: a client must not see a difference. */
const router = createRouter(createOperations(defaultPolicies));

function bothWays(ports: () => Ports) {
  const call: Call = {
    requestId: "req_1",
    actor: "key_1",
    address: null,
    platformId: "plt_1",
    scopes: new Set(["cards:read", "kyc:read", "kyc:write"]),
    signal: new AbortController().signal,
  };
  const own = new Hono<HttpEnv>();
  own.use(async (c, next) => {
    c.set("call", call);
    const input = c.req.method === "GET" ? c.req.query("input") : await c.req.text();
    if (input !== undefined) c.set("body", JSON.parse(input));
    await next();
  });
  own.all(
    "/trpc/*",
    callProcedure(router, ports(), () => {}),
  );
  const theirPorts = ports();
  const createContext = () => ({ ports: theirPorts, call, replayed: false });
  const theirs = new Hono().use("/trpc/*", trpcServer({ router, endpoint: "/trpc", createContext }));
  return { own, theirs };
}

const failing = (error: Error) => () => fakePorts({ listCards: () => Promise.reject(error) }).ports;
const asked = (name: string, input?: unknown): [string] => [
  `/trpc/${name}${input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`}`,
];
const sent = (name: string, input: unknown): [string, RequestInit] => [
  `/trpc/${name}`,
  { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(input) },
];
const listed = asked("cards.list", { memberId: "member-1" });

describe("tRPC's own adapter answers alike", () => {
  it.each<[string, [string, RequestInit?], number, (() => Ports)?]>([
    ["a list", listed, 200],
    ["a submission", sent("kyc.submit", exampleSubmission.input), 200],
    ["input that is wrong", asked("cards.list", { memberId: "", page: "x" }), 400],
    ["no input", asked("cards.list"), 400],
    ["input that is null", asked("cards.list", null), 400],
    ["a scope that is missing", asked("admin.keys.list", {}), 403],
    ["nobody", asked("cards.list", { memberId: "nobody" }), 404],
    ["an unknown procedure", asked("cards.nothing", {}), 404],
    ["a name of JavaScript's own", asked("constructor", {}), 404],
    ["a router's name", asked("cards", {}), 404],
    ["a provider that is away", listed, 503, failing(new Failure("PROVIDER_UNAVAILABLE"))],
    ["an error that nobody foresaw", listed, 500, failing(new TypeError("secret"))],
  ])("%s", async (_name, [path, init], status, ports = () => fakePorts().ports) => {
    const { own, theirs } = bothWays(ports);
    const [ours, adapters] = [await own.request(path, init), await theirs.request(path, init)];
    expect([ours.status, adapters.status]).toEqual([status, status]);
    expect(ours.headers.get("content-type")).toBe(adapters.headers.get("content-type"));
    expect(await ours.json()).toEqual(await adapters.json());
  });
});
