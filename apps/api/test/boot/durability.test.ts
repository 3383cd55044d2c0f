import { expect, it } from "vitest";
import { logDurability } from "../../src/boot/durability.ts";

const logged = async (
  settings: Partial<{ fsync: boolean; synchronousCommit: string; synchronousStandbys: string }>,
) => {
  const lines: unknown[] = [];
  const durability = { fsync: true, synchronousCommit: "on", synchronousStandbys: "", ...settings };
  await logDurability(
    { durability: async () => durability },
    { info: (...line) => lines.push(["info", ...line]), warn: (...line) => lines.push(["warn", ...line]) },
  );
  return lines;
};

it("a start logs which synchronous standbys the database has", async () => {
  expect(await logged({ synchronousStandbys: "FIRST 1 (b, c)" })).toEqual([
    [
      "info",
      "database_durability",
      { fsync: "on", synchronousCommit: "on", synchronousStandbys: "FIRST 1 (b, c)" },
    ],
  ]);
  expect(await logged({})).toMatchObject([["info", "database_durability", { synchronousStandbys: "none" }]]);
});

it.each([{ fsync: false }, { synchronousCommit: "off" }])("a start warns about %o", async (settings) => {
  expect(await logged(settings)).toMatchObject([["warn", "database_durability", {}]]);
});
