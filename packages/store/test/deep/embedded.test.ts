import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "@cardbridge/postgres";
import { expect, it } from "vitest";
import { migrate, openDatabase, setTimeLimits } from "../../src/index.ts";

it("connects to the embedded server as the service's login role", async ({ onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-embedded-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const server = await startEmbedded({ folder });
  onTestFinished(server.stop);
  await migrate(server.ownerUrl, { grantTo: "cardbridge_app" });
  await setTimeLimits(server.serviceUrl);
  const database = openDatabase({ url: server.serviceUrl, onError: () => {} });
  onTestFinished(database.close);
  expect(await database.checkConnection()).toEqual([]);
  expect(await database.health()).toEqual({ reachable: true, pendingMigrations: [] });
});
