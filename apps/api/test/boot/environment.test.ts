import { openDatabase } from "@cardbridge/service/database";
import { createTestDatabase } from "@cardbridge/service/database/testing";
import { expect, inject, it, onTestFinished } from "vitest";
import { checkDatabase, claimDatabase } from "../../src/boot/checks.ts";

it.each([
  ["test", "live"],
  ["live", "test"],
] as const)("a database keeps the environment %s and refuses a service of %s", async (own, other) => {
  const urls = await createTestDatabase(inject("postgres"));
  onTestFinished(urls.drop);
  const database = openDatabase({ url: urls.serviceUrl, onError: () => {} });
  onTestFinished(() => database.close());
  await checkDatabase(database, other);
  await claimDatabase(database, own);
  const refusal = `DATABASE_URL: The database has the environment ${own}, and ENVIRONMENT is ${other}.`;
  await expect(checkDatabase(database, other)).rejects.toMatchObject({ reasons: [refusal] });
  await expect(claimDatabase(database, other)).rejects.toMatchObject({ reasons: [refusal] });
  await checkDatabase(database, own);
});
