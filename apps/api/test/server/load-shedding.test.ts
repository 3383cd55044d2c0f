import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLoadShedding } from "../../src/server/load-shedding.ts";
import { type Served, serve } from "../../src/server/serve.ts";

/** A server that admits two reads and two writes. Tests decide when each request ends. */
let server: Served;
let waiting: (() => void)[] = [];
beforeAll(async () => {
  const app = async ({ url }: Request) => {
    if (!url.endsWith("/now")) await new Promise<void>((resolve) => waiting.push(resolve));
    return new Response("done");
  };
  const admit = createLoadShedding({ max: 2, onFull: () => {} });
  server = await serve(app, { host: "127.0.0.1", port: 0 }, { admit });
});
afterAll(() => server.close(0));

const call = (path: string, init?: RequestInit) => fetch(server.url + path, init);

/** Starts two reads and two writes; returns the functions that end them. */
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

describe("a request while the limit is reached", () => {
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
      expect(waiting).toHaveLength(4);
      await end();
    },
  );

  it.each([
    ["GET", "/health/live"],
    ["POST", "/openapi/v1/files"],
    ["PUT", "/files/uploads/token"],
  ])("is admitted for %s %s, because health checks and uploads are exempt", async (method, path) => {
    const end = await busy();
    const asked = call(path, { method });
    await expect.poll(() => waiting.length).toBe(5);
    await end();
    expect((await asked).status).toBe(200);
  });

  it("is admitted if only the other kind has reached its limit", async () => {
    waiting = [];
    const reads = [call("/openapi/v1/cards/list"), call("/openapi/v1/cards/list")];
    await expect.poll(() => waiting.length).toBe(2);
    expect((await call("/openapi/v1/cards/list")).status).toBe(503);
    const change = call("/openapi/v1/users/kyc", { method: "POST" });
    await expect.poll(() => waiting.length).toBe(3);
    for (const letGo of waiting) letGo();
    expect((await Promise.all([...reads, change])).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("is admitted after another request ended or was aborted", async () => {
    for (let times = 0; times < 3; times += 1) {
      waiting = [];
      const leaving = new AbortController();
      const gone = [1, 2].map(() => call("/openapi/v1/cards/list", { signal: leaving.signal }));
      await expect.poll(() => waiting.length).toBe(2);
      leaving.abort();
      for (const one of gone) await expect(one).rejects.toThrow();
      const two = () => Promise.all([call("/now"), call("/now")]);
      await expect.poll(async () => (await two()).map(({ status }) => status)).toEqual([200, 200]);
    }
    const end = await busy();
    await end();
    const after = await busy();
    await after();
  });

  it("is logged as a count once a second, not individually", async () => {
    const reported: number[] = [];
    const admit = createLoadShedding({ max: 0, onFull: (refused) => reported.push(refused) });
    const full = await serve(() => new Response("done"), { host: "127.0.0.1", port: 0 }, { admit });
    for (let times = 0; times < 50; times += 1) await (await fetch(full.url)).text();
    await expect.poll(() => reported.reduce((sum, count) => sum + count, 0)).toBe(50);
    expect(reported.length).toBeLessThan(50);
    await full.close(0);
  });
});
