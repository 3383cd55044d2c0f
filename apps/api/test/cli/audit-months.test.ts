import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkpointAudit } from "@cardbridge/operations";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withOperatorPorts } from "../../src/boot/operator.ts";
import { restSubmit } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** Exporting and dropping a month of the audit, over a real database whose first entries are moved to the last month. */
const folder = await mkdtemp(join(tmpdir(), "cardbridge-audit-"));
let world: Awaited<ReturnType<typeof startTestService>>;
const now = new Date();
const monthFrom = (difference: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + difference)).toISOString().slice(0, 7);
const [month, present] = [monthFrom(-1), monthFrom(0)];
const platformId = "plt_demo_one";

beforeAll(async () => {
  world = await startTestService({ events: false });
  await restSubmit(world.caller(), newSubmission("pending"));
  const admin = new Client(world.adminUrl);
  await admin.connect();
  await admin.query(`set role cardbridge_owner;
    create table audit_entries_past partition of audit_entries for values from ('${month}-01Z') to ('${present}-01Z');
    alter table audit_entries_past rename to audit_entries_${month.replace("-", "_")};
    reset role;
    update audit_entries set at = '${month}-15Z'`);
  await admin.end();
  // Transactions of other tests on the shared server delay the checkpoints briefly.
  await withOperatorPorts(world.env, ["keys"], async (ports) => {
    do await checkpointAudit(ports);
    while ((await ports.audit.pending()).length > 0);
  });
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});

const cli = (args: string[], env = {}) => runCommand(args, { ...world.env, ...env });
const owner = () => ({ MIGRATION_DATABASE_URL: world.ownerUrl });

it("refuses a month that is not over, an unknown folder, and a drop without the owner or before the export", async () => {
  const refusals = [
    [["export", "--month", present, "--to", folder], {}, "--month: Send a month that is over."],
    [
      ["export", "--month", month, "--to", join(folder, "none")],
      {},
      "--to: The folder cannot be used: the folder does not exist (ENOENT).",
    ],
    [["export", "--month", "2026-13", "--to", folder], {}, "--month: "],
    [["drop", "--month", month], {}, "MIGRATION_DATABASE_URL is missing"],
    [["drop", "--month", month], owner(), `--month: The entries of ${platformId} are not exported.`],
  ] as const;
  for (const [args, env, message] of refusals) {
    const { code, stdout, stderr } = await cli(["audit", ...args], env);
    expect([code > 0, stdout, stderr]).toEqual([true, "", expect.stringContaining(message)]);
  }
  expect(await readdir(folder)).toEqual([]);
});

it("exports a month, drops it, and verifies and lists what remains", async () => {
  const exported = await cli(["audit", "export", "--month", month, "--to", folder, "--json"]);
  const { files } = JSON.parse(exported.stdout);
  const file = `audit-${month}-${platformId}.ndjson`;
  expect(files).toEqual([{ platformId, file, checkpoints: 1, entries: 1, digest: expect.any(String) }]);
  expect(await readdir(folder)).toEqual([file]);
  const bytes = await readFile(join(folder, file));
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(files[0].digest);
  expect(
    bytes
      .toString()
      .split("\n")
      .map((line) => line.slice(0, 14)),
  ).toEqual(['{"format":"car', '{"checkpoint":', '{"entry":{"id"', ""]);
  expect(await cli(["audit", "drop", "--month", month], owner())).toEqual({
    code: 0,
    stdout: `The audit of ${month} is dropped.\n`,
    stderr: "",
  });
  const verified = await cli(["audit", "verify", platformId]);
  expect(verified).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("It starts after checkpoint 1:"),
  });
  expect((await cli(["audit", "list", platformId])).stdout).toMatch(
    new RegExp(`^narrow +no\nsince +${present}-01T00:00:00.000Z\n`),
  );
  const { entries } = JSON.parse((await cli(["audit", "list", "internal", "--json"])).stdout);
  expect(entries).toMatchObject([
    { operation: "audit.drop", subject: month },
    { operation: "audit.export", subject: month },
  ]);
});
