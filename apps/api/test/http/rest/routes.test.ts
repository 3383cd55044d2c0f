import { defaultPolicies } from "@cardbridge/domain";
import { createOperations, exampleSubmission, listOperations } from "@cardbridge/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basePath } from "../../../src/config/paths.ts";
import { createDocument } from "../../../src/http/openapi/document.ts";
import { restRoutes } from "../../../src/http/rest/routes.ts";
import { type Served, serve } from "../../../src/server/serve.ts";
import { fakeApp, fakePorts, fullKey } from "../../support/fakes.ts";
import { rawRequest } from "../../support/raw-http.ts";

/** The router's routes, their access, and their headers for browsers. */
const operations = createOperations(defaultPolicies);
const routes = restRoutes(operations);
const procedures = listOperations(operations);

/** The operations that the interface documents. All others are extensions (gap G24). */
const documented = ["cards.list", "kyc.submit"];

/** All routes besides the document's operations. A new route must be added here. */
const others = [
  "GET /",
  "GET /docs.md",
  "GET /docs/*",
  "GET /docs/guides",
  "GET /docs/guides/:slug",
  "GET /docs/platforms",
  "GET /health/live",
  "GET /health/ready",
  "GET /llms.txt",
  "GET /openapi/v1/openapi.json",
  "GET /trpc/*",
  "OPTIONS /files/uploads/:token",
  "POST /mcp",
  "POST /provider/events",
  "POST /trpc/*",
  "PUT /files/uploads/:token",
];
const open = others
  .filter((route) => /^GET (?!\/trpc)/.test(route))
  .map((route) => route.slice(4).replace("/*", "").replace(":slug", "errors"));

let server: Served;
const fake = fakePorts();
const { app } = fakeApp({ ports: fake.ports });
beforeAll(async () => {
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close(0));

it("serves every route that an operation declares, and nothing else", () => {
  const served = routes.map(({ method, path, operation }) => ({ method, path, id: operation.id }));
  const declared = procedures.flatMap(({ id, rest }) =>
    rest ? { method: rest.method, path: rest.path, id } : [],
  );
  expect(served).toEqual(declared);
  expect(procedures.filter((operation) => operation.documented).map(({ id }) => id)).toEqual(documented);
});

it("has only the document's operations and the fixed list of routes", () => {
  const document = createDocument(routes, {
    publicUrl: "https://cards.cardbridge.test",
    environment: "test",
  });
  const published = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
  );
  const real = app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(real)].sort()).toEqual([...published, ...others].sort());
});

it("uses wildcards of every method only for guards", () => {
  const caught = app.routes.filter(({ method }) => method === "ALL").map(({ path }) => path);
  expect([...new Set(caught)].sort()).toEqual(["/*", "/trpc/*"]);
});

describe("no spelling of a path bypasses authentication", () => {
  const overRest = routes.map(({ method, path, operation }) => ({
    id: operation.id,
    method: method.toUpperCase(),
    path: basePath + path.replace(/\{\w+\}/g, "kyc_1"),
  }));
  const overTrpc = procedures.map(({ id, kind }) => ({
    id,
    method: kind === "read" ? "GET" : "POST",
    path: `/trpc/${id}`,
  }));
  // A constant path, a path with a parameter, and a procedure of each kind. One route serves all procedures.
  const ofKinds = [
    "/openapi/v1/users/kyc",
    "/openapi/v1/users/kyc/kyc_1",
    "/trpc/kyc.submit",
    "/trpc/kyc.get",
  ];
  const spellings: ((path: string) => string)[] = [
    (path) => path,
    (path) => `/${path}`,
    (path) => `${path}/`,
    (path) => `${path}?x=/docs`,
    (path) => `${path}#/docs`,
    (path) => `${path};a=b`,
    (path) => `${path}%00`,
    (path) => `${path}.json`,
    (path) => `/docs/..${path}`,
    (path) => `/docs/%2e%2e${path}`,
    (path) => `/docs/..;${path}`,
    (path) => `/.${path}`,
    (path) => path.replace(/\/(?=[^/]*$)/, "/./"),
    (path) => path.replace(/\/(?=[^/]*$)/, "//"),
    (path) => path.replace(/\/(?=[^/]*$)/, "%2f"),
    (path) => path.replace(/\/(?=[^/]*$)/, "%252f"),
    (path) => path.replace(/\/(?=[^/]*$)/, "\\"),
    (path) => path.toUpperCase(),
    (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    (path) => path.replaceAll(/[a-z.]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    (path) => `http://a${path}`,
  ];
  const overrides = [
    "x-http-method-override: GET",
    "x-method-override: POST",
    "x-original-url: /health/live",
  ];

  const verbs = ["GET", "HEAD", "POST", "OPTIONS", "TRACE"];

  async function expectRefused(calls: { verb: string; path: string }[]) {
    const passed: string[] = [];
    for (const { verb, path } of calls) {
      const start = `${verb} ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\nconnection: close`;
      const { status } = await rawRequest(server.url, `${start}\r\n${overrides.join("\r\n")}\r\n\r\n`);
      if (![400, 401, 404, 405].includes(status)) passed.push(`${verb} ${path}: ${status}`);
    }
    expect(passed).toEqual([]);
    expect(fake.sent).toEqual([]);
  }

  it.each([...overRest, ...overTrpc])("of $method $id, with any method", ({ method, path }) =>
    expectRefused([method, ...verbs].map((verb) => ({ verb, path }))),
  );

  it.each([...ofKinds, "/mcp"])("of %s, in any spelling with any method", (path) => {
    expect([...overRest, ...overTrpc, { path: "/mcp" }].map((one) => one.path)).toContain(path);
    return expectRefused(spellings.flatMap((spell) => verbs.map((verb) => ({ verb, path: spell(path) }))));
  });
});

describe("a web page of another origin", () => {
  const submit = (path: string, headers: Record<string, string>) =>
    app.request(`http://cards.test${path}`, {
      method: "POST",
      headers: {
        host: "cards.test",
        authorization: `Bearer ${fullKey}`,
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify(exampleSubmission.input),
    });
  const paths = ["/openapi/v1/users/kyc", "/trpc/kyc.submit", "/mcp", "/provider/events"];

  it.each([
    { origin: "https://evil.test" },
    { origin: "null" },
    { origin: "http://cards.test:81" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "cross-site", origin: "http://cards.test" },
  ])("is refused: %o", async (headers) => {
    for (const path of paths) {
      const response = await submit(path, headers);
      const body = JSON.stringify(await response.json());
      expect([path, response.status, body.includes('"CROSS_ORIGIN"')]).toEqual([path, 403, true]);
    }
    expect(fake.sent).toEqual([]);
  });

  it.each([
    {},
    { origin: "http://cards.test" },
    { origin: "https://cards.test" },
    { origin: "http://127.0.0.1:3000" },
    { "sec-fetch-site": "same-origin", origin: "http://cards.test" },
    { "sec-fetch-site": "none" },
  ])("is distinguished from servers and the service's own page: %o", async (headers) => {
    for (const path of paths.slice(0, 2)) expect((await submit(path, headers)).status).toBe(200);
  });
});

describe("headers for browsers", () => {
  const policyOf = (response: Response) =>
    new Map(
      (response.headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
        const [name = "", ...sources] = directive.split(" ");
        return [name, sources];
      }),
    );

  it.each([...open, "/nowhere", "/docs/nowhere", "/openapi/v1/cards/list", "/trpc/cards.list"])(
    "%s allows no inline script in any response",
    async (path) => {
      for (const method of ["GET", "HEAD", "POST", "DELETE"]) {
        const response = await fetch(server.url + path, { method, redirect: "manual" });
        const policy = policyOf(response);
        expect(policy.get("default-src")).toEqual(["'none'"]);
        expect(policy.get("script-src") ?? ["'self'"]).toEqual(["'self'"]);
        expect(policy.get("frame-ancestors")).toEqual(["'none'"]);
        expect([...policy.values()].flat().filter((source) => source.startsWith("'unsafe"))).toEqual([]);
        expect(response.headers.get("x-content-type-options")).toBe("nosniff");
        const isConstant = response.ok && /^\/docs|openapi\.json$/.test(path);
        expect(response.headers.get("cache-control")).toBe(isConstant ? "no-cache" : "no-store");
      }
    },
  );
});
