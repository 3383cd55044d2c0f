import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { checkpointAudit, pendingAudit } from "@cardbridge/service";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withOperatorPorts } from "../../src/boot/operator.ts";
import { restSubmit } from "../support/call.ts";
import { cellsOf, runCommand } from "../support/command-line.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** The command line and the audit, over a real database whose first entries are moved to the last month. */
let world: Awaited<ReturnType<typeof startTestService>>;
let admin: Client;
let folder: string;
beforeAll(async () => {
  world = await startTestService({ events: false });
  admin = new Client(world.adminUrl);
  await admin.connect();
  folder = await mkdtemp(join(tmpdir(), "cardbridge-audit-"));
});
afterAll(async () => {
  await admin.end();
  await world.stop();
  await rm(folder, { recursive: true });
});

const platformId = "plt_demo_one";
const cli = (...args: string[]) => runCommand(args, world.env);
const json = async (...args: string[]) => JSON.parse((await cli(...args, "--json")).stdout);

async function submit(): Promise<string> {
  const { body } = await restSubmit(world.caller(), newSubmission("pending"));
  return (body as { kycRecordId: string }).kycRecordId;
}
/**
 * Creates checkpoints for all entries, as the worker does every few seconds. Transactions of other tests on the shared
 * server delay the checkpoints briefly.
 */
const checkpoint = () =>
  withOperatorPorts(world.env, ["keys"], async (ports) => {
    do await checkpointAudit(ports);
    while ((await pendingAudit(ports)).length > 0);
  });

const monthFrom = (difference: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + difference)).toISOString().slice(0, 7);
};
const [month, present] = [monthFrom(-1), monthFrom(0)];
const owner = () => ({ ...world.env, MIGRATION_DATABASE_URL: world.ownerUrl });

it("exports a month, drops it, and verifies and lists what remains", async () => {
  await submit();
  await admin.query(`set role cardbridge_owner;
    create table audit_entries_past partition of audit_entries for values from ('${month}-01Z') to ('${present}-01Z');
    alter table audit_entries_past rename to audit_entries_${month.replace("-", "_")};
    reset role;
    update audit_entries set at = '${month}-15Z'`);
  await checkpoint();
  const drop = ["audit", "drop", "--month", month];
  const missing = join(folder, "none");
  for (const [args, env, message] of [
    [
      ["audit", "export", "--month", present, "--to", folder],
      world.env,
      "--month: Send a month that is over.",
    ],
    [
      ["audit", "export", "--month", month, "--to", missing],
      world.env,
      "--to: The folder cannot be used: the",
    ],
    [drop, world.env, "MIGRATION_DATABASE_URL is missing"],
    [drop, owner(), `--month: The entries of ${platformId} are not exported.`],
  ] as const) {
    const { code, stdout, stderr } = await runCommand(args, env);
    expect([code > 0, stdout, stderr]).toEqual([true, "", expect.stringContaining(message)]);
  }

  const { files } = await json("audit", "export", "--month", month, "--to", folder);
  const file = `audit-${month}-${platformId}.ndjson`;
  const bytes = await readFile(join(folder, file));
  const digest = createHash("sha256").update(bytes).digest("hex");
  expect(files).toEqual([{ platformId, file, checkpoints: 1, entries: 1, digest }]);
  expect(await readdir(folder)).toEqual([file]);
  const kinds = bytes.toString().trim().split("\n");
  expect(kinds.map((line) => Object.keys(JSON.parse(line))[0])).toEqual(["format", "checkpoint", "entry"]);
  expect((await runCommand(drop, owner())).stdout).toBe(`The audit of ${month} is dropped.\n`);
  expect((await cli("audit", "verify", platformId)).stdout).toContain("It starts after checkpoint 1:");
  expect((await cli("audit", "list", platformId)).stdout).toMatch(
    new RegExp(`^narrow +no\nsince +${present}-01T00:00:00.000Z\n`),
  );
  expect((await json("audit", "list", "internal")).entries).toMatchObject([
    { operation: "audit.drop", subject: month },
    { operation: "audit.export", subject: month },
  ]);
});

it("lists the entries under the name of the operator's account, or the name that they give", async () => {
  const id = await submit();
  await cli("records", "get", id);
  await cli("--by", "ada", "records", "get", id);
  const { entries } = await json("audit", "list", platformId, "--limit", "3");
  expect(entries).toMatchObject([
    { actor: "claim:ada", operation: "records.get", subject: id, outcome: "done", address: null },
    { actor: `claim:${userInfo().username}`, operation: "records.get", subject: id },
    { actor: `key_${platformId}`, operation: "kyc.submit", subject: id, address: "127.0.0.1" },
  ]);
});

it("lists the entries of all platforms, as a table and page by page", async () => {
  const id = await submit();
  await cli("--by", "ada", "records", "get", id);
  const search = ["audit", "list", "--subject", id];
  const [facts = "", table = ""] = (await cli(...search)).stdout.split("\n\n");
  expect(facts).toMatch(/^narrow +no\nreaches to +20\S+Z\n/);
  expect(cellsOf(table).map((row) => row.slice(1))).toEqual([
    ["PLATFORM", "ACTOR", "OPERATION", "SUBJECT", "OUTCOME", "ADDRESS"],
    [platformId, "claim:ada", "records.get", id, "done", "-"],
    [platformId, `key_${platformId}`, "kyc.submit", id, "done", "127.0.0.1"],
  ]);
  const first = (await cli(...search, "--limit", "1")).stdout;
  const [, cursor = ""] = /There are more: --cursor (\S+)\.\n$/.exec(first) ?? [];
  expect((await json(...search, "--cursor", cursor)).entries).toMatchObject([{ operation: "kyc.submit" }]);
});

it("reports a valid chain, and accepts its last checkpoint in --known", async () => {
  await submit();
  await checkpoint();
  const { last, checkpoints, entries } = await json("audit", "verify", platformId);
  const known = `${last.number}:${last.hash}`;
  const { code, stdout } = await cli("audit", "verify", platformId, "--known", known);
  expect(code).toBe(0);
  expect(stdout).toContain(
    `The audit of ${platformId} is valid: ${entries} entries under ${checkpoints} checkpoints. Later entries: 0.`,
  );
  expect(stdout).toMatch(new RegExp(`to pass to --known: ${known}\n$`));
  const other = await cli("audit", "verify", platformId, "--known", `${last.number + 1}:${last.hash}`);
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringContaining("the end of the chain was cut off"),
  ]);
});

it("reports a deleted entry, and what to check when no entry is valid", async () => {
  await submit();
  await checkpoint();
  const env = { ...world.env, FINGERPRINT_KEY: "another one, of more than 32 letters" };
  const wrong = await runCommand(["audit", "verify", platformId], env);
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringContaining("Check that FINGERPRINT_KEY is the service's."),
  ]);
  await admin.query(
    "delete from audit_entries where id = (select min(id) from audit_entries where platform_id = $1)",
    [platformId],
  );
  const { code, stdout, stderr } = await cli("audit", "verify", platformId);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^The audit of plt_demo_one is invalid\.\nUnder checkpoint \d+, .* missing\.\n$/);
});
