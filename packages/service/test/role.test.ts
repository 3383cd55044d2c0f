import { afterAll, expect, inject, onTestFinished, test } from "vitest";
import { withConnection } from "../src/database/connect.ts";
import { setTimeLimits } from "../src/database.ts";
import { createTestDatabase } from "../src/testing/index.ts";
import { openDatabase } from "./support/open-database.ts";

const urls = await createTestDatabase(inject("server"));
afterAll(urls.drop);

const admin = (statement: string) => withConnection(urls.adminUrl, (client) => client.query(statement));

async function problemsOf(url: string): Promise<string[]> {
  const database = openDatabase({ url, onError: () => {} });
  try {
    return await database.checkConnection();
  } finally {
    await database.close();
  }
}

/** Creates a role for one test, and returns the URL of its login. */
async function loginOf(role: string, options: string): Promise<string> {
  await admin(`create role ${role} login password '${role}' ${options}`);
  onTestFinished(async () => void (await admin(`drop role ${role}`)));
  return Object.assign(new URL(urls.serviceUrl), { username: role, password: role }).href;
}

const withoutLimits = (role: string) => [
  `The database role ${role} has no idle_in_transaction_session_timeout. Run the migration command.`,
  `The database role ${role} has no statement_timeout. Run the migration command.`,
];

test("the service's login role has no problems; a superuser and the owner of the tables are reported", async () => {
  expect(await problemsOf(urls.serviceUrl)).toEqual([]);
  expect(await problemsOf(urls.adminUrl)).toEqual([expect.stringContaining("superuser")]);
  const ofOwner = await problemsOf(urls.ownerUrl);
  expect(ofOwner).toContainEqual(expect.stringContaining("owns tables: api_keys, "));
});

test("a role that bypasses row-level security and is not a member of the service's role is reported", async () => {
  expect(await problemsOf(await loginOf("passer", "bypassrls"))).toEqual([
    "The database role passer may bypass row-level security.",
    "The database role passer is not a member of cardbridge_service.",
    ...withoutLimits("passer"),
  ]);
});

test("a role that may also read backups is reported, because it reads the rows of every platform", async () => {
  const url = await loginOf("reader", "in role cardbridge_service, cardbridge_backup");
  expect(await problemsOf(url)).toContain(
    "The database role reader is a member of cardbridge_backup, which reads the rows of every platform.",
  );
});

test("a role without time limits is reported, and sets them for all of its sessions, also twice at once", async () => {
  const url = await loginOf("limited", "in role cardbridge_service");
  const limits = () =>
    withConnection(url, async (client) => {
      const [statement, idle] = ["statement_timeout", "idle_in_transaction_session_timeout"];
      const { rows } = await client.query(
        `select current_setting('${statement}') as s, current_setting('${idle}') as t`,
      );
      return rows[0];
    });
  const database = openDatabase({ url, onError: () => {} });
  expect(await database.checkConnection()).toEqual(withoutLimits("limited"));
  await Promise.all(Array.from({ length: 4 }, () => setTimeLimits(url)));
  expect(await limits()).toEqual({ s: "10s", t: "10s" });
  // A session from before, as a pooler has them, is no reason to refuse the role.
  expect(await database.checkConnection()).toEqual([]);
  await database.close();
  // A limit that the operator has set stays.
  await admin("alter role limited reset all; alter role limited set statement_timeout = '20s'");
  await setTimeLimits(url);
  expect(await limits()).toEqual({ s: "20s", t: "10s" });
});
