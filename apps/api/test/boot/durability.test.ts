import type { Environment } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { logDurability } from "../../src/boot/checks.ts";

function logged(environment: Environment, settings: object) {
  const lines: unknown[] = [];
  const durability = { fsync: true, synchronousCommit: "on", synchronousStandbys: "", ...settings };
  logDurability(durability, environment, {
    info: (...line) => lines.push(["info", ...line]),
    warn: (...line) => lines.push(["warn", ...line]),
  });
  return lines;
}

it("a start logs which synchronous standbys the database has", () => {
  const synchronousStandbys = "FIRST 1 (b, c)";
  expect(logged("live", { synchronousStandbys })).toEqual([
    ["info", "database_durability", { fsync: "on", synchronousCommit: "on", synchronousStandbys }],
  ]);
  expect(logged("live", {})).toMatchObject([
    ["info", "database_durability", { synchronousStandbys: "none" }],
  ]);
});

it.each([{ fsync: false }, { synchronousCommit: "off" }])("a start in live warns about %o", (settings) => {
  expect(logged("live", settings)).toMatchObject([["warn", "database_durability", {}]]);
  expect(logged("test", settings)).toMatchObject([["info", "database_durability", {}]]);
});
