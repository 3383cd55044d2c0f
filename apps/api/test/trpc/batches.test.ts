import { Failure } from "@cardbridge/domain";
import { exampleSubmission } from "@cardbridge/service";
import { describe, expect, it } from "vitest";
import { fakeApp, fakePorts, fullKey } from "../support/fakes.ts";

/** Batches: each call has its own outcome, and counts against the rate limit. */
const someone = { memberId: "member-1" };
const nobody = { memberId: "nobody" };
const auth = { authorization: `Bearer ${fullKey}` };

interface Part {
  result?: { data: { total?: number } };
  error?: {
    message: string;
    data: { path?: string; problem: { code: string; requestId: string; errors: unknown[] } };
  };
}

function batches(options: Parameters<typeof fakeApp>[0] = {}) {
  const { app, lines } = fakeApp(options);
  const answer = async (response: Response) => ({
    status: response.status,
    headers: response.headers,
    parts: (await response.json()) as Part[],
  });
  const keyed = (inputs: readonly unknown[]) => JSON.stringify(Object.fromEntries(inputs.entries()));
  return {
    lines,
    fetch: (path: string, headers: Record<string, string> = {}) =>
      app.request(path, { headers: { ...auth, ...headers } }),
    async list(inputs: readonly unknown[], headers: Record<string, string> = {}) {
      const path = inputs.map(() => "cards.list").join();
      const url = `/trpc/${path}?batch=1&input=${encodeURIComponent(keyed(inputs))}`;
      return answer(await app.request(url, { headers: { ...auth, ...headers } }));
    },
    async mutate(path: string, inputs: readonly unknown[], headers: Record<string, string> = {}) {
      const json = { ...auth, "content-type": "application/json", ...headers };
      const init = { method: "POST", headers: json, body: keyed(inputs) };
      return answer(await app.request(`/trpc/${path}?batch=1`, init));
    },
  };
}

const codes = (parts: Part[]) => parts.map(({ error }) => error?.data.problem.code ?? "ok");
const rules = ({ error }: Part) =>
  (error?.data.problem.errors as { rule: string }[] | undefined)?.map(({ rule }) => rule);

describe("each call of a batch fails alone", () => {
  it("returns two results and one problem for two valid calls and an unknown user", async () => {
    const { status, headers, parts } = await batches().list([someone, nobody, someone]);
    expect([status, codes(parts)]).toEqual([207, ["ok", "USER_NOT_FOUND", "ok"]]);
    expect([parts[0]?.result?.data.total, parts[2]?.result?.data.total]).toEqual([1, 1]);
    expect(parts[1]?.error?.data).toMatchObject({
      path: "cards.list",
      problem: { requestId: headers.get("x-request-id") },
    });
  });

  it("checks the scope of each call, and refuses unknown procedures", async () => {
    const { fetch } = batches({ keys: { [fullKey]: ["cards:read"] } });
    const input = encodeURIComponent(JSON.stringify({ 0: someone, 1: someone, 2: someone }));
    const response = await fetch(`/trpc/cards.list,kyc.get,cards.secret-canary?batch=1&input=${input}`);
    const text = await response.text();
    expect(codes(JSON.parse(text))).toEqual(["ok", "SCOPE_MISSING", "ROUTE_NOT_FOUND"]);
    expect(text).not.toContain("canary");
  });

  it("returns the longest Retry-After", async () => {
    const waits = [3, 9, 5];
    const { ports } = fakePorts({
      listCards: async () => {
        throw new Failure("PROVIDER_UNAVAILABLE", { retryAfterSeconds: waits.shift() ?? 0 });
      },
    });
    const { status, headers } = await batches({ ports }).list([someone, someone, someone]);
    expect([status, headers.get("retry-after")]).toEqual([503, "9"]);
  });
});

describe("the size of a batch", () => {
  it("has a maximum of 20", async () => {
    const { list, fetch } = batches();
    const full = await list(Array.from({ length: 20 }, () => someone));
    expect([full.status, full.parts.length]).toEqual([200, 20]);
    for (const comma of [",", "%2C", "%2c"]) {
      const path = Array.from({ length: 21 }, () => "cards.list").join(comma);
      const response = await fetch(`/trpc/${path}?batch=1`);
      const { error } = (await response.json()) as Part;
      expect(response.status).toBe(400);
      expect(error?.message).toMatch(/\b20\b.*\b21\b/);
      expect(error?.data.problem).toMatchObject({
        code: "MALFORMED_REQUEST",
        requestId: response.headers.get("x-request-id"),
        errors: [{ rule: "batch-size", message: error?.message }],
      });
    }
  });
});

describe("the rate limit of a batch", () => {
  const limited = () => batches({ rateOf: () => ({ calls: 6, seconds: 60 }), now: () => 0 });
  const left = (headers: Headers) => headers.get("ratelimit");

  it.each([
    ["commas", "cards.list,cards.list,cards.list", 3],
    ["encoded commas", "cards.list%2Ccards.list%2ccards.list", 3],
    ["both", "cards.list%2Ccards.list,cards.list", 3],
    ["an encoded dot", "cards%2Elist,cards.list", 2],
    ["unknown names", "cards.nothing,x,y,z", 4],
    ["no names at all", ",,", 3],
    ["commas that are encoded twice", "cards.list%252Ccards.list", 1],
    ["a slash at the end", "cards.list,cards.list/", 2],
    ["both kinds, which is refused", "cards.list,kyc.submit,cards.list", 3],
  ])("counts each call, with %s", async (_name, path, calls) => {
    const response = await limited().fetch(`/trpc/${path}?batch=1`);
    expect(left(response.headers)).toBe(`"reads";r=${6 - calls};t=10`);
  });

  it("counts each call of an oversized batch", async () => {
    const { fetch } = limited();
    const refused = await fetch(`/trpc/${Array.from({ length: 21 }, () => "cards.list").join()}?batch=1`);
    expect([refused.status, left(refused.headers)]).toEqual([400, '"reads";r=0;t=10']);
    expect((await fetch("/trpc/cards.list")).status).toBe(429);
  });

  it.each([
    ["an input in invalid JSON", "cards.list,cards.list?batch=1&input=%7B"],
    ["inputs that are not an object", "cards.list,cards.list?batch=1&input=1"],
    ["a stream without a batch", "cards.list"],
    ["an invalid key", "cards.list"],
  ])("counts at least one call for a malformed request: %s", async (name, path) => {
    const headers = {
      ...(name.includes("stream") ? { "trpc-accept": "application/jsonl" } : {}),
      ...(name.includes("key") ? { "idempotency-key": "a b" } : {}),
    };
    const response = await limited().fetch(`/trpc/${path}`, headers);
    expect([response.status, left(response.headers)]).toEqual([400, '"reads";r=5;t=10']);
  });

  it("refuses the calls beyond the remaining allowance", async () => {
    const { list } = limited();
    await list([someone, someone, someone, someone]);
    const { status, headers, parts } = await list([someone, nobody, someone, someone]);
    expect([status, codes(parts)]).toEqual([207, ["ok", "USER_NOT_FOUND", "RATE_LIMITED", "RATE_LIMITED"]]);
    expect([left(headers), headers.get("retry-after")]).toEqual(['"reads";r=0;t=10', "10"]);
    const none = await list([someone, someone]);
    expect([none.status, none.headers.get("retry-after")]).toEqual([429, "10"]);
  });
});

describe("an Idempotency-Key in a batch (G20)", () => {
  const submission = (memberId: string) => ({
    ...exampleSubmission.input,
    memberId,
    email: `${memberId}@example.com`,
  });
  const key = { "idempotency-key": "abc-123" };

  it("is refused with several mutations, and nothing is stored", async () => {
    const { ports } = fakePorts();
    let created = 0;
    const { createOrReplay } = ports.kycRecords;
    ports.kycRecords.createOrReplay = (...given) => {
      created += 1;
      return createOrReplay(...given);
    };
    const { mutate } = batches({ ports });
    const refused = await mutate("kyc.submit,kyc.submit", [submission("a"), submission("b")], key);
    expect([refused.status, refused.parts.map(rules), created]).toEqual([
      400,
      [["idempotency-key-one-call"], ["idempotency-key-one-call"]],
      0,
    ]);
    for (const calls of [2, 4]) {
      const sent = await mutate("kyc.submit,kyc.submit", [submission("a"), submission("b")]);
      expect([sent.status, sent.headers.get("idempotent-replayed"), created]).toEqual([200, null, calls]);
    }
  });

  it("applies to a single mutation, whose response can be a replay", async () => {
    const { mutate } = batches({ ports: fakePorts().ports });
    const first = await mutate("kyc.submit", [submission("a")], key);
    const again = await mutate("kyc.submit", [submission("a")], key);
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([200, null]);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  });
});

it("a streamed batch is counted by its calls, and refused as a whole like others", async () => {
  const headers = { "trpc-accept": "application/jsonl" };
  const names = (count: number) => Array.from({ length: count }, () => "cards.list").join();
  const { fetch } = batches({ rateOf: () => ({ calls: 60, seconds: 60 }), now: () => 0 });
  const streamed = await fetch(`/trpc/${names(2)}?batch=1`, headers);
  expect([streamed.status, streamed.headers.get("ratelimit")]).toEqual([200, '"reads";r=58;t=1']);
  const refused = await fetch(`/trpc/${names(21)}?batch=1`, headers);
  expect([refused.status, refused.headers.get("content-type")]).toEqual([400, "application/json"]);
});
