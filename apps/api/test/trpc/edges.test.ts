import { describe, expect, it } from "vitest";
import { errorMapping } from "../../src/http/errors/mapping.ts";
import { problem } from "../../src/http/errors/problem.ts";
import { fakeApp, fullKey } from "../support/fakes.ts";

/** Requests that tRPC refuses, and features of tRPC that are not supported: each gets an error in tRPC's format. */
const { app, lines } = fakeApp();
const auth = { authorization: `Bearer ${fullKey}` };
const json = { "content-type": "application/json" };
const list = `/trpc/cards.list?input=${encodeURIComponent('{"memberId":"member-1"}')}`;

async function refusal(path: string, init: RequestInit) {
  const response = await app.request(path, init);
  const { error } = (await response.json()) as { error: { message: string; data: { problem: unknown } } };
  const found = problem.parse(error.data.problem);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(found.requestId).toBe(response.headers.get("x-request-id"));
  expect(found.requestId).toMatch(/^req_/);
  expect(errorMapping[found.code].status).toBe(response.status);
  return { problem: found, message: error.message, headers: response.headers };
}

const batch = "/trpc/cards.list,cards.list?batch=1";
const stream = { "trpc-accept": "application/jsonl" };

describe("an unsupported request", () => {
  it.each([
    ["a stream without a batch", list, { headers: { ...auth, ...stream } }, "stream"],
    ["an accepted stream", list, { headers: { ...auth, accept: "*/*, application/jsonl" } }, "stream"],
    ["a name in broken percent-encoding", "/trpc/%E0%A4%A", { headers: auth }, "percent-encoding"],
    ["an input in broken encoding", "/trpc/cards.list?input=%E0%A4%A", { headers: auth }, "percent-encoding"],
    ["connection parameters", `${list}&connectionParams=1`, { headers: auth }, "connection-params"],
    ["a list as the inputs of a batch", `${batch}&input=%5B%5D`, { headers: auth }, "batch-input"],
    ["a text as the inputs of a batch", `${batch}&input=%22a%22`, { headers: auth }, "batch-input"],
    [
      "a list as the body of a batch",
      "/trpc/kyc.submit,kyc.submit?batch=1",
      { method: "POST", headers: { ...auth, ...json }, body: "[{},{}]" },
      "batch-input",
    ],
    [
      "a batch of both kinds",
      "/trpc/cards.list,kyc.submit?batch=1",
      { method: "POST", headers: { ...auth, ...json }, body: '{"0":{},"1":{}}' },
      "batch-kinds",
    ],
  ])("%s is refused with a violation", async (_name, path, init, rule) => {
    const { problem, message } = await refusal(path, init);
    expect(problem).toMatchObject({ code: "MALFORMED_REQUEST" });
    expect(problem.errors).toEqual([{ path: "", rule, message: expect.any(String) }]);
    expect(message).toBe(problem.errors[0]?.message);
  });

  it.each(["input", "batch", "connectionParams"])(
    "is refused with a repeated parameter: %s",
    async (name) => {
      const { problem } = await refusal(`/trpc/cards.list?${name}=1&${name}=1`, { headers: auth });
      expect(problem.errors).toMatchObject([{ path: name, rule: "single-value" }]);
    },
  );

  it("does not get its unknown procedure name repeated", async () => {
    for (const name of ["cards.secret-canary", "kyc.get;secret-canary", "secret%20canary"]) {
      const response = await app.request(`/trpc/${name}`, { headers: auth });
      expect([response.status, await response.text()]).toEqual([404, expect.not.stringMatching(/canary/)]);
    }
  });
});

describe("methods", () => {
  it.each(["PUT", "OPTIONS"])("%s gets 405 and Allow", async (method) => {
    for (const [path, allow] of [
      ["/trpc/cards.list", "GET"],
      ["/trpc/kyc.submit", "POST"],
      ["/trpc/kyc.submit/", "POST"],
      ["/trpc/cards.nothing", "GET, POST"],
      ["/trpc", "GET, POST"],
      ["/trpc/kyc.submit%2Ckyc.submit?batch=1", "POST"],
      ["/trpc/cards.list,kyc.submit?batch=1", "GET, POST"],
    ] as const) {
      const { problem, headers } = await refusal(path, { method, headers: auth });
      expect([path, problem.code, headers.get("allow")]).toEqual([path, "METHOD_NOT_ALLOWED", allow]);
    }
  });

  it("HEAD gets 405 and Allow, without a body", async () => {
    const response = await app.request(list, { method: "HEAD", headers: auth });
    expect([response.status, response.headers.get("allow"), await response.text()]).toEqual([405, "GET", ""]);
  });

  it.each(["GET", "POST"])("%s of an unknown procedure gets 404", async (method) => {
    const init = { method, headers: { ...auth, ...json }, ...(method === "POST" ? { body: "{}" } : {}) };
    for (const path of ["/trpc/cards.nothing", "/trpc", "/trpc/"]) {
      expect((await refusal(path, init)).problem.code).toBe("ROUTE_NOT_FOUND");
    }
  });
});

it.each(["multipart/form-data", "text/plain", "nonsense"])(
  "the content type of a GET is ignored: %s",
  async (contentType) => {
    const response = await app.request(list, { headers: { ...auth, "content-type": contentType } });
    expect([response.status, await response.json()]).toMatchObject([200, { result: { data: { total: 1 } } }]);
  },
);

it("none of these requests causes an internal error", () => {
  expect(lines.filter((line) => line.includes("unexpected error"))).toEqual([]);
});
