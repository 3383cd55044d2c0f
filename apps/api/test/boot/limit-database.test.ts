import type { Database } from "@cardbridge/service/database";
import { expect, it } from "vitest";
import { limitDatabase } from "../../src/boot/pools.ts";

const database = {
  asPlatform: async (platformId: string) => `rows of ${platformId}`,
  withoutPlatform: async () => "no rows",
  health: async () => ({ reachable: true, pendingMigrations: [] }),
} as unknown as Database;

it.each([
  [undefined, ["plt_1", "no platform"]],
  ["the worker", ["the worker", "the worker"]],
])("work takes a connection of holder %s, and the health check takes none", async (holder, expected) => {
  const holders: string[] = [];
  const run = <T>(name: string, work: () => Promise<T>) => {
    holders.push(name);
    return work();
  };
  const shared = limitDatabase(database, { run }, holder);
  expect(await shared.asPlatform("plt_1", async () => "")).toBe("rows of plt_1");
  expect(await shared.withoutPlatform(async () => "")).toBe("no rows");
  expect(await shared.health()).toMatchObject({ reachable: true });
  expect(holders).toEqual(expected);
});
