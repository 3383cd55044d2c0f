import { startDatabaseProxy } from "@cardbridge/service/database/testing";
import { expect, it, onTestFinished } from "vitest";
import { restList } from "../support/call.ts";
import { startTestService } from "../support/test-service.ts";

/** A connection that breaks without a message of the server. */
const codes = ["connection-lost", "ECONNRESET", "EPIPE"];

it("during an outage of the database, every line of the log and readiness have the code", async () => {
  let proxy: Awaited<ReturnType<typeof startDatabaseProxy>> | undefined;
  const service = await startTestService({
    async databaseUrl(url) {
      proxy = await startDatabaseProxy(url);
      return proxy.url;
    },
    env: { RUN: "all" },
  });
  onTestFinished(async () => {
    await service.stop();
    await proxy?.close();
  });
  const list = () => restList(service.caller(), { memberId: "alice" });
  expect(await list()).toMatchObject({ status: 200 });
  proxy?.down();
  await expect.poll(list).toMatchObject({ status: 503 });
  const ready = async () => (await fetch(`${service.url}/health/ready`)).json();
  await expect.poll(ready).toMatchObject({
    status: "not ready",
    reasons: [
      expect.stringMatching(/^The database cannot be reached: .* \((connection-lost|ECONNRESET|EPIPE)\)\.$/),
    ],
  });
  const lines = () => service.lines.map((line) => JSON.parse(line));
  await expect
    .poll(() => lines().map(({ msg }) => msg))
    .toEqual(expect.arrayContaining(["request", "database_connection_lost", "worker_pass_failed"]));
  // The line of a readiness check has no failure; its response has the reasons.
  const failed = lines().filter(({ level, route }) => level >= 40 && route !== "/health/ready");
  expect(failed.map(({ reason, labels }) => reason ?? labels?.reason)).toEqual(
    failed.map(() => expect.toBeOneOf(codes)),
  );
});
