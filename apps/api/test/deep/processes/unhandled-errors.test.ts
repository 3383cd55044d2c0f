import { createTestDatabase } from "@cardbridge/service/database/testing";
import { expect, inject, it, onTestFinished } from "vitest";
import { startService } from "../../support/service-process.ts";

const secret = "Secret.5f0c@example.com";

it("an unhandled error ends the process, and is logged with only its name and location", async () => {
  const database = await createTestDatabase(inject("postgres"));
  onTestFinished(() => database.drop());
  const error = `Object.assign(new TypeError(atob("${btoa(secret)}")), { detail: atob("${btoa(secret)}") })`;
  const script = `process.on("SIGUSR2", () => void Promise.reject(${error}));`;
  const service = await startService({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
    DATABASE_URL: database.serviceUrl,
    PROVIDER_URL: "http://127.0.0.1:1",
    PROVIDER_CLIENT_ID: "id",
    PROVIDER_CLIENT_SECRET: "a-secret-of-length",
    METRICS_PORT: "0",
  });
  expect(await service.end("SIGUSR2")).toBe(1);
  expect(service.output()).toContain('"error":"TypeError"');
  expect(service.output()).not.toContain(secret);
});
