import { afterAll, expect, inject, test } from "vitest";
import { withConnection } from "../src/connect.ts";
import { openDatabase } from "../src/index.ts";
import { createTestDatabase } from "../src/testing/index.ts";

const urls = await createTestDatabase(inject("server"));
afterAll(urls.drop);

async function problemsOf(url: string): Promise<string[]> {
  const database = openDatabase({ url, onError: () => {} });
  try {
    return await database.checkRole();
  } finally {
    await database.close();
  }
}

test("the service's login role may serve", async () => {
  expect(await problemsOf(urls.serviceUrl)).toEqual([]);
});

test("a superuser must not", async () => {
  expect(await problemsOf(urls.adminUrl)).toEqual([expect.stringContaining("superuser")]);
});

test("the owner of the tables must not", async () => {
  const problems = await problemsOf(urls.ownerUrl);
  expect(problems).toContainEqual(
    expect.stringContaining("owns tables: api_keys, idempotency_keys, known_keys, kyc_history"),
  );
});

test("a role that bypasses row-level security, and is no member of the service, must not", async () => {
  const admin = (statement: string) => withConnection(urls.adminUrl, (client) => client.query(statement));
  await admin("create role passer login bypassrls password 'passer'");
  const url = new URL(urls.serviceUrl);
  url.username = "passer";
  url.password = "passer";
  expect(await problemsOf(url.href)).toEqual([
    "The database role passer may bypass row-level security.",
    "The database role passer is not a member of cardbridge_service.",
  ]);
  await admin("drop role passer");
});
