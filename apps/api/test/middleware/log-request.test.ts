import { Hono } from "hono";
import { expect, it } from "vitest";
import type { HttpEnv } from "../../src/middleware/context.ts";
import { logRequest } from "../../src/middleware/log-request.ts";

it.each([
  ["/things/list", "/things/list"],
  ["/things/thing_1", "/things/:thingId"],
  ["/nowhere", "/*"],
])("logs %s as the route that answers: %s", async (path, route) => {
  const routes: string[] = [];
  const app = new Hono<HttpEnv>();
  app.use(logRequest({ request: (request) => void routes.push(request.route) }));
  app.get("/things/list", (c) => c.text("a list"));
  app.get("/things/:thingId", (c) => c.text("a thing"));
  await app.request(path);
  expect(routes).toEqual([route]);
});
