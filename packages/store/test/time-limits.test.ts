import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { withConnection } from "../src/connect.ts";
import { setTimeLimits } from "../src/index.ts";
import { createTestDatabase } from "../src/testing/index.ts";
import { openDatabase } from "./support/open-database.ts";

const urls = await createTestDatabase(inject("server"));
const admin = (statement: string) => withConnection(urls.adminUrl, (client) => client.query(statement));
const loginUrl = Object.assign(new URL(urls.serviceUrl), { username: "limited", password: "limited" }).href;

beforeAll(() => admin("create role limited login in role cardbridge_service password 'limited'"));
afterAll(async () => {
  await admin("drop role limited");
  await urls.drop();
});

async function limits(): Promise<unknown> {
  const question =
    "select current_setting('statement_timeout') as s, current_setting('idle_in_transaction_session_timeout') as t";
  return withConnection(loginUrl, async (client) => (await client.query(question)).rows[0]);
}

test("a role without time limits is reported, and sets them for all of its sessions, also twice at once", async () => {
  const database = openDatabase({ url: loginUrl, onError: () => {} });
  expect(await database.checkConnection()).toEqual([
    "The database role limited has no idle_in_transaction_session_timeout. Run the migration command.",
    "The database role limited has no statement_timeout. Run the migration command.",
  ]);
  await Promise.all(Array.from({ length: 4 }, () => setTimeLimits(loginUrl)));
  expect(await limits()).toEqual({ s: "10s", t: "10s" });
  // A session from before, as a pooler has them, is no reason to refuse the role.
  expect(await database.checkConnection()).toEqual([]);
  await database.close();
});

test("a limit that the operator has set stays", async () => {
  await admin("alter role limited reset all; alter role limited set statement_timeout = '20s'");
  await setTimeLimits(loginUrl);
  expect(await limits()).toEqual({ s: "20s", t: "10s" });
});
