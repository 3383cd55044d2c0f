import { afterAll, expect, inject, test } from "vitest";
import { withConnection } from "../src/connect.ts";
import { createTestDatabase } from "../src/testing/index.ts";
import { openDatabase } from "./support/open-database.ts";

const urls = await createTestDatabase(inject("server"));
afterAll(urls.drop);

async function problemsOf(url: string): Promise<string[]> {
  const database = openDatabase({ url, onError: () => {} });
  try {
    return await database.checkConnection();
  } finally {
    await database.close();
  }
}

test("the service's login role has no problems", async () => {
  expect(await problemsOf(urls.serviceUrl)).toEqual([]);
});

test("a superuser is reported", async () => {
  expect(await problemsOf(urls.adminUrl)).toEqual([expect.stringContaining("superuser")]);
});

test("the owner of the tables is reported", async () => {
  const problems = await problemsOf(urls.ownerUrl);
  expect(problems).toContainEqual(expect.stringContaining("owns tables: api_keys, "));
});

test("a role that bypasses row-level security and is not a member of the service's role is reported", async () => {
  const admin = (statement: string) => withConnection(urls.adminUrl, (client) => client.query(statement));
  await admin("create role passer login bypassrls password 'passer'");
  const url = new URL(urls.serviceUrl);
  url.username = "passer";
  url.password = "passer";
  expect(await problemsOf(url.href)).toEqual([
    "The database role passer may bypass row-level security.",
    "The database role passer is not a member of cardbridge_service.",
    "The database role passer has no idle_in_transaction_session_timeout. Run the migration command.",
    "The database role passer has no statement_timeout. Run the migration command.",
  ]);
  await admin("drop role passer");
});

test("a role that may also read backups is reported, because it reads the rows of every platform", async () => {
  const admin = (statement: string) => withConnection(urls.adminUrl, (client) => client.query(statement));
  await admin("create role reader login password 'reader' in role cardbridge_service, cardbridge_backup");
  const url = new URL(urls.serviceUrl);
  url.username = "reader";
  url.password = "reader";
  expect(await problemsOf(url.href)).toContain(
    "The database role reader is a member of cardbridge_backup, which reads the rows of every platform.",
  );
  await admin("drop role reader");
});
