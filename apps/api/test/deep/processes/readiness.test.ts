import { createTestDatabase, startDatabaseProxy } from "@cardbridge/service/database/testing";
import { expect, inject, it } from "vitest";
import { startTestService } from "../../support/test-service.ts";

it("concurrent readiness checks query the database once", async () => {
  const database = await createTestDatabase(inject("postgres"));
  const proxy = await startDatabaseProxy(database.serviceUrl);
  const service = await startTestService({ databaseUrl: proxy.url, env: { RUN: "api" } });
  const ready = async () => (await fetch(`${service.url}/health/ready`)).status;

  const atStart = proxy.statements();
  const start = performance.now();
  expect(await ready()).toBe(200);
  const ofOne = proxy.statements() - atStart;
  expect(ofOne).toBeGreaterThan(0);
  const statuses = new Set(await Promise.all(Array.from({ length: 400 }, ready)));
  const checks = 1 + Math.floor((performance.now() - start) / 1_000);
  expect(statuses).toEqual(new Set([200]));
  expect(proxy.statements() - atStart).toBeLessThanOrEqual(checks * ofOne);

  proxy.down();
  await expect.poll(ready).toBe(503);
  proxy.up();
  await expect.poll(ready).toBe(200);
  await service.stop();
  await proxy.close();
  await database.drop();
});
