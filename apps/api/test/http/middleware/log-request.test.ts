import type { Labels } from "@cardbridge/domain";
import { Hono } from "hono";
import { expect, it } from "vitest";
import type { HttpEnv } from "../../../src/http/middleware/context.ts";
import { logRequest } from "../../../src/http/middleware/log-request.ts";
import { fakeApp, fakePorts, fullKey } from "../../support/fakes.ts";

it.each([
  ["/things/list", "/things/list"],
  ["/things/thing_1", "/things/:thingId"],
  ["/nowhere", "unknown"],
])("logs and counts %s as the matched route: %s", async (path, route) => {
  const routes: string[] = [];
  const counted: (Labels | undefined)[] = [];
  const app = new Hono<HttpEnv>();
  app.use(
    logRequest(
      { request: (request) => void routes.push(request.route) },
      { observe: (_event, labels) => void counted.push(labels) },
    ),
  );
  app.get("/things/list", (c) => c.text("a list"));
  app.get("/things/:thingId", (c) => c.text("a thing"));
  const { status } = await app.request(path);
  expect(routes).toEqual([route]);
  expect(counted).toEqual([{ route, method: "GET", status: String(status) }]);
});

/** Every request has a caller's text in its path or query, which must be in neither the log nor a metric. */
const record = "/openapi/v1/users/kyc/:kycRecordId";
it.each([
  ["GET", "/openapi/v1/users/kyc/canary-1", { route: record, method: "GET", status: "404" }],
  ["GET", "/openapi/v1/users/canary", { route: "unknown", method: "GET", status: "404" }],
  ["DELETE", "/openapi/v1/cards/list?canary", { route: "unknown", method: "DELETE", status: "405" }],
  ["HEAD", "/files/canary", { route: "/files/:fileId", method: "GET", status: "400" }],
  ["PUT", "/files/uploads/canary", { route: "/files/uploads/:token", method: "PUT", status: "401" }],
  ["GET", "/trpc/cards.list?input=canary", { route: "/trpc/*", method: "GET", status: "400" }],
  ["GET", "/trpc/canary", { route: "/trpc/*", method: "GET", status: "404" }],
  ["GET", "/trpc/cards.list,canary,kyc.get?batch=1", { route: "/trpc/*", method: "GET", status: "207" }],
  ["GET", `/trpc/canary${",canary".repeat(900)}?batch=1`, { route: "/trpc/*", method: "GET", status: "400" }],
  ["GET", "/trpc/%E0%A4", { route: "/trpc/*", method: "GET", status: "400" }],
])("%s %s is logged and counted without the caller's text", async (method, path, labels) => {
  const { ports } = fakePorts();
  const counted: (Labels | undefined)[] = [];
  const observe = (event: string, seen?: Labels) => void (event === "request" && counted.push(seen));
  const { app, lines } = fakeApp({ ports: { ...ports, observer: { observe } } });
  await app.request(path, { method, headers: { authorization: `Bearer ${fullKey}` } });
  expect(counted).toEqual([labels]);
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ method, route: labels.route });
  expect(lines.join()).not.toContain("canary");
});

it("logs each procedure of a batch once", async () => {
  const { app, lines } = fakeApp();
  const path = "/trpc/cards.list,kyc.get,cards.list,nowhere,elsewhere?batch=1";
  await app.request(path, { headers: { authorization: `Bearer ${fullKey}` } });
  const { route, procedures } = JSON.parse(lines.at(-1) ?? "");
  expect([route, procedures]).toEqual(["/trpc/*", ["cards.list", "kyc.get", "unknown"]]);
});
