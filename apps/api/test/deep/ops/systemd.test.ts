import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { opsFile, units, unitValues } from "./ops-files.ts";

const absent = spawnSync("systemd-analyze", ["--version"]).error !== undefined;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cardbridge-units-"));
  // systemd-analyze requires that the program exists.
  for (const unit of units) {
    writeFileSync(join(folder, unit), opsFile(`systemd/${unit}`).replace("/usr/bin/node", process.execPath));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(units)("%s", (unit) => {
  it("loads every secret that it names, and no other", () => {
    const loaded = unitValues(unit, "LoadCredential").map((value) => value.split(":")[0]);
    const named = unitValues(unit, "Environment").flatMap(
      (value) => /_FILE=%d\/(.*)$/.exec(value)?.[1] ?? [],
    );
    expect(loaded).toEqual(named);
  });

  it("is valid, and hardened", (context) => {
    if (absent) return context.skip("not run: no systemd-analyze on this machine");
    const verified = spawnSync("systemd-analyze", ["verify", join(folder, unit)], { encoding: "utf8" });
    expect([verified.status, verified.stderr]).toEqual([0, ""]);
    const options = ["security", "--offline=true", "--threshold=15", join(folder, unit)];
    expect(spawnSync("systemd-analyze", options, { encoding: "utf8" })).toMatchObject({ status: 0 });
  });
});

it.each(units.filter((unit) => unit.includes("@")))("a process of %s restarts when it ends", (unit) => {
  expect(unitValues(unit, "Restart")).toEqual(["always"]);
  // Without a limit on the number of restarts.
  expect(unitValues(unit, "StartLimitIntervalSec")).toEqual(["0"]);
});

it("the script of the command line reads the secrets of the service", () => {
  const script = opsFile("systemd/cardbridge").match(/^\w+_FILE=.*$/gm) ?? [];
  const service = unitValues("cardbridge-api@.service", "Environment").filter((value) =>
    value.includes("_FILE="),
  );
  expect(script).toEqual(service.map((value) => value.replace("%d", "/etc/cardbridge/secrets")));
});
