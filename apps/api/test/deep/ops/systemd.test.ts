import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { opsFile, opsPath, units, unitValues } from "./ops-files.ts";

const timers = units.flatMap((unit) => {
  const timer = unit.replace(".service", ".timer");
  return unit.includes("backup") ? [timer] : [];
});
const absent = spawnSync("systemd-analyze", ["--version"]).error !== undefined;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cardbridge-units-"));
  // systemd-analyze requires that the programs exist.
  for (const unit of [...units, ...timers]) {
    const text = opsFile(`systemd/${unit}`)
      .replace("/usr/bin/node", process.execPath)
      .replace("/usr/local/bin/cardbridge-backup", opsPath("backup/cardbridge-backup"));
    writeFileSync(join(folder, unit), text);
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

it.each(timers)("%s is valid, and starts its unit as often as the alarm expects", (timer) => {
  const hours = timer.includes("verify") ? 7 * 24 : 24;
  const [calendar = ""] = unitValues(timer, "OnCalendar");
  if (absent) return expect(calendar).not.toBe("");
  const verified = spawnSync("systemd-analyze", ["verify", join(folder, timer)], { encoding: "utf8" });
  expect([verified.status, verified.stderr]).toEqual([0, ""]);
  const options = ["calendar", "--iterations=2", "--base-time=2026-11-23 00:00:00 UTC", calendar];
  const { stdout } = spawnSync("systemd-analyze", options, {
    encoding: "utf8",
    env: { ...process.env, TZ: "UTC" },
  });
  const times = [...stdout.matchAll(/(?:elapse|Iter\. #2): \w+ (.+) UTC$/gm)].map(([, at]) =>
    Date.parse(`${at} UTC`),
  );
  expect(times).toHaveLength(2);
  expect(((times[1] ?? 0) - (times[0] ?? 0)) / 3_600_000).toBe(hours);
});

it("the units of backups write to their folder only, and the settings are those of the script", () => {
  const script = opsFile("backup/cardbridge-backup");
  for (const unit of units.filter((each) => each.includes("backup"))) {
    const settings = [
      ...unitValues(unit, "Environment"),
      ...(opsFile("systemd/backup.env").match(/^\w+=.*$/gm) ?? []),
    ];
    for (const setting of settings)
      expect(script).toContain(`  ${setting.split("=")[0]?.replace("_FILE", "")} `);
    expect(settings).toContain(`BACKUP_FOLDER=${unitValues(unit, "ReadWritePaths")[0]}`);
  }
});

it("the script of the command line reads the secrets of the service", () => {
  const script = opsFile("systemd/cardbridge").match(/^\w+_FILE=.*$/gm) ?? [];
  const service = unitValues("cardbridge-api@.service", "Environment").filter((value) =>
    value.includes("_FILE="),
  );
  expect(script).toEqual(service.map((value) => value.replace("%d", "/etc/cardbridge/secrets")));
});
