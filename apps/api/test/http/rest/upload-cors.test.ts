import { afterEach, expect, it } from "vitest";
import { type Served, serve } from "../../../src/server/serve.ts";
import { fakeApp, uploadPath } from "../../support/fakes.ts";
import { rawRequest } from "../../support/raw-http.ts";

/** The PUT of an upload URL is the only route that web pages of other origins may call (gap G19). */
let server: Served | undefined;
afterEach(() => server?.close(0));

const page = { origin: "https://platform.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" };

/** A service, and the path of an upload URL. */
async function service(options: Parameters<typeof fakeApp>[0] = {}) {
  const { app, gates } = fakeApp(options);
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 }, { gates });
  return { url: server.url, path: uploadPath() };
}

const put = (url: string, init: RequestInit = {}) =>
  fetch(url, { method: "PUT", body: "bytes", ...init, headers: { ...page, ...init.headers } });
const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control")));
const readable = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "x-request-id, x-cardbridge-environment, retry-after, idempotent-replayed, ratelimit, ratelimit-policy",
};

it("a preflight allows PUT with a content type, without credentials and without a key", async () => {
  const { url, path } = await service({ rateOf: () => ({ calls: 1, seconds: 60 }), now: () => 0 });
  for (const token of [path, path, "/files/uploads/unknown"]) {
    const response = await fetch(url + token, {
      method: "OPTIONS",
      headers: {
        ...page,
        "access-control-request-method": "PUT",
        "access-control-request-headers": "content-type",
      },
    });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(corsOf(response)).toEqual({
      ...readable,
      "access-control-allow-methods": "PUT",
      "access-control-allow-headers": "content-type",
      "access-control-max-age": "600",
    });
  }
});

it("a page of another origin uploads a file, and can read that its platform exceeds its rate", async () => {
  const { url, path } = await service({ rateOf: () => ({ calls: 1, seconds: 60 }), now: () => 0 });
  for (const status of [201, 429]) {
    const response = await put(url + path, { headers: { "content-type": "image/jpeg" } });
    expect([response.status, corsOf(response)]).toEqual([status, readable]);
  }
});

it.each<[string, number, string, RequestInit]>([
  ["a token that is not valid", 401, "UNAUTHENTICATED", {}],
  ["another method", 405, "METHOD_NOT_ALLOWED", { method: "POST" }],
  [
    "a form",
    415,
    "UNSUPPORTED_MEDIA_TYPE",
    { headers: { "content-type": "multipart/form-data; boundary=b" } },
  ],
  ["a body that is too large", 413, "PAYLOAD_TOO_LARGE", { body: "x".repeat(200_000) }],
])("%s gets an error that the page can read", async (_name, status, code, init) => {
  const { url, path } = await service();
  const response = await put(url + (code === "UNAUTHENTICATED" ? `${path}x` : path), init);
  expect([response.status, corsOf(response)]).toEqual([status, readable]);
  expect(await response.json()).toMatchObject({ code });
});

it.each([
  ["a head that the server refuses", ["expect: nothing", "content-length: 0", "", ""]],
  ["a body that is not valid HTTP", ["transfer-encoding: chunked", "", "nonsense\r\n"]],
])("%s gets an error that the page can read", async (_name, lines) => {
  const { url, path } = await service();
  const head = [`PUT ${path} HTTP/1.1`, "host: a", "connection: close", "origin: https://platform.example"];
  const { status, headers } = await rawRequest(url, [...head, ...lines].join("\r\n"));
  expect(status).toBe(400);
  expect(headers).toContain("access-control-allow-origin: *");
});

const others = ["/docs", "/openapi/v1/users/kyc", "/trpc/kyc.submit", "/openapi/v1/files", "/files/file_1"];
it.each([...others, "/files/uploads", "/filesuploads/x"])(
  "no other path has CORS headers: %s",
  async (path) => {
    const { url } = await service();
    for (const method of ["OPTIONS", "PUT", "POST", "GET"]) {
      const response = await fetch(url + path, { method, headers: page });
      expect([method, corsOf(response)]).toEqual([method, {}]);
    }
  },
);
