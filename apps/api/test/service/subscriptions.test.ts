import type { KycUpdated } from "@cardbridge/domain";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoKeys } from "../../src/admission/api-key.ts";
import { restSubmit } from "../support/call.ts";
import { eventsOf } from "../support/event-stream.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const subscribe = (lastEventId: string | undefined, signal: AbortSignal, key: string = demoKeys.first) =>
  fetch(`${service.url}/trpc/kyc.changes`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    },
    signal,
  });

interface Change {
  id: string;
  type: string;
  data: KycUpdated;
}

/** The next messages of a subscription, up to `count`; then it disconnects. */
async function read(lastEventId: string | undefined, count: number, key?: string): Promise<Change[]> {
  const leaving = new AbortController();
  const found: Change[] = [];
  const response = await subscribe(lastEventId, leaving.signal, key);
  for await (const { event, id = "", data } of eventsOf(response)) {
    if (event === undefined) found.push({ ...(data as Change), id });
    if (found.length >= count) break;
  }
  leaving.abort();
  return found;
}

/**
 * Changes a record in transactions of one to five rows; every third is rolled back. Returns how many rows it committed.
 */
async function changeRecord(kycRecordId: string, rows: number): Promise<number> {
  const client = new Client(service.adminUrl);
  await client.connect();
  let committed = 0;
  for (let number = 0; committed < rows; number += 1) {
    const count = Math.min(1 + (number % 5), rows - committed);
    await client.query("begin");
    await client.query("select from kyc_records where id = $1 for update", [kycRecordId]);
    await client.query(
      `insert into kyc_history (platform_id, record_id, source, resolution, sub_status)
       select platform_id, id, 'event', 'answered', $2 from kyc_records, generate_series(1, $3) where id = $1`,
      [kycRecordId, number % 3 === 2 ? "rolled-back" : "committed", count],
    );
    await client.query("select pg_sleep($1)", [(number % 4) / 50]);
    await client.query(number % 3 === 2 ? "rollback" : "commit");
    if (number % 3 !== 2) committed += count;
  }
  await client.end();
  return committed;
}

it("reconnections during 1,000 concurrent changes deliver each change once, in the order of its record", async () => {
  const submitted = await Promise.all(
    Array.from({ length: 8 }, () => restSubmit(service.caller(), newSubmission())),
  );
  const records = submitted.map(({ body }) => (body as { kycRecordId: string }).kycRecordId);
  const [started] = await read(undefined, 1);
  expect(started?.type).toBe("subscription.started");

  const changing = Promise.all(records.map((record) => changeRecord(record, 125)));
  const all: Change[] = [];
  // A transaction of another test can delay the changes of the submissions themselves: the first two of each record.
  const later = () => all.filter(({ data }) => data.sequence > 2);
  while (later().length < 1_000) {
    all.push(...(await read(all.at(-1)?.id ?? started?.id, Math.min(90, 1_000 - later().length))));
  }
  const found = later();
  expect((await changing).reduce((sum, count) => sum + count, 0)).toBe(1_000);

  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(found.filter(({ data }) => data.subStatus !== "committed")).toEqual([]);
  for (const record of records) {
    const sequences = found
      .filter(({ data }) => data.kycRecordId === record)
      .map(({ data }) => data.sequence);
    expect(sequences).toEqual(Array.from({ length: 125 }, (_, index) => index + 3));
  }
});

it("a position beyond the present is refused before the stream begins", async () => {
  const response = await subscribe(`${"9".repeat(18)}-0`, new AbortController().signal);
  const { error } = (await response.json()) as { error: { data: { problem: object } } };
  expect(response.status).toBe(400);
  expect(error.data.problem).toMatchObject({
    errors: [{ path: "", rule: "position-beyond-present" }],
  });
});

it("a platform receives only its own changes, from its first change on", async () => {
  const own = await restSubmit(service.caller(demoKeys.second), newSubmission());
  const { kycRecordId } = own.body as { kycRecordId: string };
  const found = await read("0-0", 2, demoKeys.second);
  expect(new Set(found.map(({ data }) => data.kycRecordId))).toEqual(new Set([kycRecordId]));
});

it.each([
  ["revoked", "revoked_at = now()", demoKeys.first, "plt_demo_one"],
  ["expired", "expires_at = now()", demoKeys.second, "plt_demo_two"],
])(
  "the stream of a %s key ends with the error of a call, in a process that did not change the key",
  async (...row) => {
    const [, change, key, platformId] = row;
    const events = eventsOf(await subscribe(undefined, new AbortController().signal, key));
    await events.next();
    const client = new Client(service.adminUrl);
    await client.connect();
    await client.query(`update api_keys set ${change} where platform_id = $1`, [platformId]);
    await client.end();
    const rest = [];
    for await (const { event, data } of events) rest.push({ event, data });
    expect(rest.at(-1)).toMatchObject({
      event: "serialized-error",
      data: { data: { problem: { code: "UNAUTHENTICATED" } } },
    });
  },
);
