import { expect, test } from "vitest";
import { countDocumentRequests } from "../../src/index.ts";
import {
  aRequestForDocument,
  askedRecord,
  requestingProvider,
  statement,
} from "../support/document-requests.ts";
import { answered, makeWorld } from "../support/world.ts";

const world = await makeWorld();

test("an answer that waits for those of the same call is not counted as unsent", async () => {
  const provider = requestingProvider();
  const shared = { dueAt: null, together: "round_1" };
  const later = { id: "req_2", requestedAt: "2026-01-31T12:00:01.000Z" };
  provider.reports = [aRequestForDocument(shared), aRequestForDocument({ ...shared, ...later })];
  const { answer, requests, kycRecordId } = await askedRecord(world, provider);
  const count = async () => {
    await world.admin(
      "update document_requests set answered_at = now() - interval '1 hour' where status = 'answered'",
    );
    return countDocumentRequests(world.ports);
  };
  await answer();
  expect(await count()).toEqual([]);
  const [, second] = await requests();
  await answer([statement()], { id: second?.documentRequestId ?? "" });
  expect(await count()).toMatchObject([{ state: "unsent", count: 2 }]);
  await world.admin("delete from document_requests where record_id = $1", [kycRecordId]);
});

test("overdue requests and answers that the provider does not have are counted, of all platforms", async () => {
  expect(await countDocumentRequests(world.ports)).toEqual([]);
  const overdue = await askedRecord(world);
  const provider = requestingProvider();
  provider.reports = [
    aRequestForDocument({ dueAt: new Date(Date.now() + 60_000).toISOString() }),
    aRequestForDocument({ id: "req_2", dueAt: null }),
  ];
  const { answer, kycRecordId } = await askedRecord(world, provider);
  const found = { count: 1, oldestSeconds: expect.any(Number) };
  expect(await countDocumentRequests(world.ports)).toEqual([{ ...found, state: "overdue" }]);
  await answer();
  const ago = (seconds: number) =>
    world.admin(
      `update document_requests set answered_at = now() - $1 * interval '1 second' where record_id = $2 and status = 'answered'`,
      [seconds, kycRecordId],
    );
  await ago(600);
  const both = (await countDocumentRequests(world.ports)).toSorted((one, other) => one.count - other.count);
  expect(both).toHaveLength(2);
  const unsent = both.find(({ state }) => state === "unsent");
  expect(unsent?.count).toBe(1);
  expect(unsent?.oldestSeconds).toBeGreaterThanOrEqual(600);
  expect(unsent?.oldestSeconds).toBeLessThan(700);
  await world.admin("update document_requests set sent_at = now() where status = 'answered'");
  await world.kyc.recordProviderUpdate(overdue.about, answered("approved", null, 2));
  expect(await countDocumentRequests(world.ports)).toEqual([]);
});
