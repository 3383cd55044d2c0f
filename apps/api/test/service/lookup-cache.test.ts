import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { restList, restSubmit } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { until } from "../support/until.ts";

/** A service that caches for one second. The test changes the user's key and names directly in the database. */
async function aService() {
  const service = await startTestService({ events: false, env: { LOOKUP_CACHE_SECONDS: "1" } });
  onTestFinished(service.stop);
  const admin = new Client({ connectionString: service.adminUrl });
  await admin.connect();
  onTestFinished(() => admin.end());
  const { memberId, email } = newSubmission();
  await restSubmit(service.caller(), { ...newSubmission(), memberId, email });
  const list = async (who: Record<string, string>) => (await restList(service.caller(), who)).status;
  return { memberId, email, list, admin };
}

it("a revoked key stops working within the cache's second", async () => {
  const { list, memberId, admin } = await aService();
  expect(await list({ memberId })).toBe(200);
  await admin.query("update api_keys set revoked_at = now()");
  await until(async () => (await list({ memberId })) === 401);
});

it("a removed memberId stops working within the cache's second, and an e-mail at once", async () => {
  const { list, memberId, email, admin } = await aService();
  expect([await list({ memberId }), await list({ email })]).toEqual([200, 200]);
  await admin.query(
    "update users set member_id_index = sha256(member_id_index), email_index = sha256(email_index)",
  );
  expect(await list({ email })).toBe(404);
  await until(async () => (await list({ memberId })) === 404);
});
