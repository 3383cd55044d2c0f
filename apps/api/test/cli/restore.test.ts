import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoPlatforms } from "../../src/boot/development/demo-data.ts";
import { restSubmit } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** The command over a real database and the sandbox, without a worker. */
let world: Awaited<ReturnType<typeof startTestService>>;
let admin: Client;
beforeAll(async () => {
  world = await startTestService({ env: { FOUR_EYES: "off" } });
  admin = new Client(world.adminUrl);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await world.stop();
});

const platformId = demoPlatforms[0]?.id ?? "";
const check = (...args: string[]) => runCommand(["restore", "check", ...args], world.env);

const asAdmin = async (statement: string, values: unknown[] = []): Promise<object[]> =>
  (await admin.query(statement, values)).rows;

async function submit(tag: string) {
  const body = newSubmission(tag);
  const reply = await restSubmit(world.caller(), body);
  return { body, reply: reply.body as { kycRecordId: string; externalUserId: string; status: string } };
}

/** Forgets a user and the user's records, as a restore to an earlier moment does. */
async function forget(externalUserId: string): Promise<void> {
  const records = "(select id from kyc_records where user_id = $1)";
  for (const table of ["webhook_events", "kyc_history"]) {
    const column = table === "kyc_history" ? "record_id" : "data->>'kycRecordId'";
    await asAdmin(`delete from ${table} where ${column} in ${records}`, [externalUserId]);
  }
  await asAdmin("delete from kyc_records where user_id = $1", [externalUserId]);
  await asAdmin("delete from users where id = $1", [externalUserId]);
}

test("a database that nothing happened to passes, and the check is audited", async () => {
  await submit("approved");
  const { code, stdout, stderr } = await check();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^Checked at .+Z\. Executions since .+Z\.$/m);
  expect(stdout).toMatch(/^ok {7}Access: Tables, functions and row-level security are complete\.$/m);
  expect(stdout).toMatch(
    /^ok {7}Audit: The audit is valid: \d+ entries under \d+ checkpoints of \d+ platforms/m,
  );
  expect(stdout).toMatch(
    /^ok {7}Executions: The provider executed 1 submissions since then, and the database knows 1\./m,
  );
  expect(stdout).toMatch(/^The service may start\.$/m);
  const audit = await runCommand(["audit", "list", "internal", "--json"], world.env);
  expect(JSON.parse(audit.stdout).entries[0]).toMatchObject({ operation: "restore.check", outcome: "done" });
});

test("a resend after the check gets the forgotten record, and executes nothing", async () => {
  const { body, reply } = await submit("approved");
  await forget(reply.externalUserId);
  const checked = await check("--json");
  expect(checked.code).toBe(0);
  expect(JSON.parse(checked.stdout)).toMatchObject({
    passed: true,
    mayStart: true,
    findings: expect.arrayContaining([
      expect.objectContaining({
        check: "Executions",
        result: "note",
        details: [`${reply.kycRecordId} of ${reply.externalUserId} is unknown.`],
      }),
    ]),
  });
  const again = await restSubmit(world.caller(), body);
  expect(again).toMatchObject({ status: 200, body: reply });
  const { executions } = await world.ledger();
  expect(executions.filter(({ reference }) => reference === reply.kycRecordId)).toHaveLength(1);
  expect(new Set(executions.map(({ userReference }) => userReference)).size).toBe(executions.length);
});

test("an erasure of the log is repeated", async () => {
  const { reply } = await submit("approved");
  const { externalUserId } = reply;
  const [user] = await asAdmin("select * from users where id = $1", [externalUserId]);
  await runCommand(["users", "erase", externalUserId, "--platform", platformId], world.env);
  expect((await check()).code).toBe(0);

  const columns = Object.entries({ ...user });
  const set = columns.map(([name], index) => `"${name}" = $${index + 1}`).join(", ");
  await asAdmin(
    `update users set ${set} where id = '${externalUserId}'`,
    columns.map(([, value]) => value),
  );
  await asAdmin("delete from erasure_log");
  const { stdout } = await check("--since", new Date(Date.now() - 60_000).toISOString());
  expect(stdout).toMatch(
    /^ok {7}Erasures: The log has 1 erasures, 1 of them since then\. 1 users were there again: 1 are erased/m,
  );
  expect(await asAdmin("select from users where id = $1 and erased_at is null", [externalUserId])).toEqual(
    [],
  );
});

test("an audit that does not hold is a problem, until an operator accepts it", async () => {
  await asAdmin("insert into restores default values");
  await asAdmin("update audit_entries set txid = txid + 1000000000000 where platform_id = $1", [platformId]);
  const refused = await check();
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(/^problem {2}Audit: The audit is not valid/m);
  expect(refused.stdout).toMatch(/^The service does not start on this database\.$/m);
  expect(refused.stderr).toBe("The check found problems: correct them and run it again.\n");
  expect(await asAdmin("select from restores where checked_at is null")).toHaveLength(1);
  const accepted = await check("--accept");
  expect(accepted.code).toBe(1);
  expect(accepted.stdout).toMatch(/^The service may start\.$/m);
  expect(await asAdmin("select from restores where checked_at is null")).toEqual([]);
});
