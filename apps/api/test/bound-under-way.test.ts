import { type ErrorCode, Failure } from "@cardbridge/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Served, serve } from "../src/http/serve.ts";
import { boundUnderWay } from "../src/limits/bound-under-way.ts";

/** A process that works on two reads and two changes at once; each is answered when it is let go. */
let server: Served;
let waiting: (() => void)[] = [];
const refused: ErrorCode[] = [];
beforeAll(async () => {
  const app = async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return new Response("done");
  };
  const bounded = boundUnderWay(app, 2, ({ code }) => refused.push(code));
  server = await serve(bounded, { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close(0));
beforeEach(() => {
  refused.length = 0;
});

const call = (path: string, init?: RequestInit) => fetch(server.url + path, init);

/** Two of each that are under way, and what ends them. */
async function busy() {
  waiting = [];
  const get = [call("/openapi/v1/cards/list"), call("/trpc/cards.list")];
  const post = [
    call("/openapi/v1/users/kyc", { method: "POST" }),
    call("/trpc/kyc.submit", { method: "POST" }),
  ];
  const all = [...get, ...post];
  await expect.poll(() => waiting.length).toBe(4);
  return async () => {
    for (const letGo of waiting) letGo();
    for (const answer of await Promise.all(all))
      expect([answer.status, await answer.text()]).toEqual([200, "done"]);
  };
}

describe("what comes while as many as allowed are under way", () => {
  it.each([
    ["GET", "/openapi/v1/cards/list?memberId=a", { code: "SERVICE_UNAVAILABLE", status: 503 }],
    ["POST", "/openapi/v1/users/kyc", { code: "SERVICE_UNAVAILABLE", status: 503 }],
    ["POST", "/trpc/kyc.submit", { error: { data: { problem: { code: "SERVICE_UNAVAILABLE" } } } }],
    ["GET", "/trpc", { error: { data: { code: "SERVICE_UNAVAILABLE" } } }],
  ] as const)(
    "%s %s is 503 right away, in its own shape, and the connection lives on",
    async (method, path, shape) => {
      const end = await busy();
      const body = method === "POST" ? "x".repeat(60_000) : null;
      const answer = await call(path, { method, body });
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
      expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
      expect(answer.headers.get("connection")).toBe("keep-alive");
      expect(await answer.json()).toMatchObject(shape);
      expect(refused).toEqual(["SERVICE_UNAVAILABLE"]);
      expect(waiting).toHaveLength(4);
      await end();
    },
  );

  it.each([
    ["GET", "/health/live"],
    ["POST", "/openapi/v1/files"],
    ["PUT", "/files/uploads/token"],
  ])("%s %s is taken: health has no bound, and uploads have their own", async (method, path) => {
    const end = await busy();
    const asked = call(path, { method });
    await expect.poll(() => waiting.length).toBe(5);
    await end();
    expect((await asked).status).toBe(200);
  });

  it("is taken where only reads, or only changes, are as many as allowed", async () => {
    waiting = [];
    const reads = [call("/openapi/v1/cards/list"), call("/openapi/v1/cards/list")];
    await expect.poll(() => waiting.length).toBe(2);
    expect((await call("/openapi/v1/cards/list")).status).toBe(503);
    const change = call("/openapi/v1/users/kyc", { method: "POST" });
    await expect.poll(() => waiting.length).toBe(3);
    for (const letGo of waiting) letGo();
    expect((await Promise.all([...reads, change])).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("is taken again as soon as one has ended, however it ended", async () => {
    const failing = boundUnderWay(
      () => Promise.reject(new Failure("INTERNAL_ERROR")),
      1,
      () => {},
    );
    const ask = async () => failing(new Request("http://a/openapi/v1/cards/list"));
    for (let times = 0; times < 3; times += 1) await expect(ask()).rejects.toThrow();
    const end = await busy();
    await end();
    const after = await busy();
    await after();
    expect(refused).toEqual([]);
  });
});
