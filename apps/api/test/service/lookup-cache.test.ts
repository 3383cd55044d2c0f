import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { restList, restSubmit } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { until } from "../support/until.ts";

/** A service that caches for one second. The tests change the user's names and the key directly in the database. */
let service: Awaited<ReturnType<typeof startTestService>>;
let admin: Client;
beforeAll(async () => {
  service = await startTestService({ events: false, env: { LOOKUP_CACHE_SECONDS: "1" } });
  admin = new Client({ connectionString: service.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await service.stop();
});

const list = async (who: Record<string, string>) => (await restList(service.caller(), who)).status;

it("a removed memberId stops working within the cache's second, and an e-mail at once", async () => {
  const { memberId, email } = newSubmission();
  await restSubmit(service.caller(), { ...newSubmission(), memberId, email });
  expect([await list({ memberId }), await list({ email })]).toEqual([200, 200]);
  await admin.query(
    "update users set member_id_index = sha256(member_id_index), email_index = sha256(email_index)",
  );
  expect(await list({ email })).toBe(404);
  await until(async () => (await list({ memberId })) === 404);
});

it("a revoked key stops working within the cache's second", async () => {
  expect(await list({ memberId: "nobody" })).toBe(404);
  await admin.query("update api_keys set revoked_at = now()");
  await until(async () => (await list({ memberId: "nobody" })) === 401);
});
