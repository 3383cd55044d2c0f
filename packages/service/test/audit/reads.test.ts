import type { AuditEntry } from "@cardbridge/domain";
import { afterAll, describe, expect, test } from "vitest";
import { writeReadCounts } from "../../src/audit/write-read-counts.ts";
import { withConnection } from "../../src/database/connect.ts";
import { startDatabaseProxy } from "../../src/testing/database-proxy.ts";
import { auditing } from "../support/auditing.ts";
import { openDatabase } from "../support/open-database.ts";
import { aCaller, makeWorld, verifyAll } from "../support/world.ts";

const { audit, checkpointAll, platform, ports, urls } = await makeWorld();
const admin = async (text: string, values: unknown[] = []) =>
  (await withConnection(urls.adminUrl, (client) => client.query(text, values))).rows;
const entriesOf = (platformId: string) =>
  audit.list([platformId], { limit: 100 }).then(({ entries }) => entries);
const countsOf = (platformId: string) =>
  admin("select count::int, address from audit_reads where platform_id = $1 order by subject, address", [
    platformId,
  ]);

const aRead = (changes: Partial<AuditEntry> = {}) =>
  ({
    ...aCaller,
    operation: "kyc.get",
    outcome: "done",
    ...changes,
    subject: changes.subject ?? "kyc_1",
  }) as const;

/** Moves a platform's reads this number of days back. */
const age = (platformId: string, days: number) =>
  admin(
    "update audit_reads set day = day - $2::int, last_at = last_at - $2::int * interval '1 day' where platform_id = $1",
    [platformId, days],
  );
const writeAll = async () => {
  while ((await writeReadCounts(ports, 2)) > 0);
};

describe("a polled read", () => {
  test("is audited once a day for each key, address, operation and record; the others are counted", async () => {
    const platformId = await platform();
    const reads = [
      aRead(),
      aRead({ requestId: "req_2" }),
      aRead({ actor: "key_2" }),
      aRead({ address: "192.0.2.9" }),
      aRead({ address: null }),
      aRead({ operation: "kyc.history" }),
      aRead({ subject: "kyc_2" }),
      aRead({ requestId: "req_3" }),
      aRead({ address: null }),
    ];
    for (const read of reads) await audit.appendRead(platformId, read);
    const entries = (await entriesOf(platformId)).reverse();
    expect(entries.map(({ id: _id, at: _at, count: _count, ...entry }) => entry)).toEqual(
      reads
        .filter((_, index) => ![1, 7, 8].includes(index))
        .map((read) => ({ ...read, platformId, person: null, by: null, purpose: null })),
    );
    expect(entries.every(({ count }) => count === null)).toBe(true);
    expect((await countsOf(platformId)).map(({ count }) => count).sort()).toEqual([0, 0, 0, 0, 1, 2]);
  });

  test("of ten processes at once is counted once", async () => {
    const platformId = await platform();
    await Promise.all(Array.from({ length: 50 }, () => audit.appendRead(platformId, aRead())));
    expect(await entriesOf(platformId)).toHaveLength(1);
    expect(await countsOf(platformId)).toMatchObject([{ count: 49 }]);
  });

  test("takes one round trip, as an entry does", async () => {
    const platformId = await platform();
    const proxy = await startDatabaseProxy(urls.serviceUrl);
    const database = openDatabase({ url: proxy.url, maxConnections: 1, onError: () => {} });
    afterAll(async () => {
      await database.close();
      await proxy.close();
    });
    const proxied = auditing(database);
    const tripsOf = async (work: () => Promise<void>) => {
      const before = proxy.roundTrips();
      await work();
      return proxy.roundTrips() - before;
    };
    await proxied.appendDone(platformId, aRead());
    await proxied.appendRead(platformId, aRead());
    expect(await tripsOf(() => proxied.appendDone(platformId, aRead()))).toBe(1);
    expect(await tripsOf(() => proxied.appendRead(platformId, aRead()))).toBe(1);
  });

  test("changes one row on its page, without new index entries", async () => {
    const platformId = await platform();
    await audit.appendRead(platformId, aRead());
    const pages = () =>
      admin(
        "select pg_relation_size('audit_reads_of_day')::int as index, pg_relation_size('audit_reads')::int as rows",
      );
    const before = await pages();
    for (let read = 0; read < 2_000; read += 1) await audit.appendRead(platformId, aRead());
    expect(await pages()).toEqual(before);
  });
});

describe("the counts of a day", () => {
  test("become entries under a checkpoint, with the time of the last read, a day after its end", async () => {
    const platformId = await platform();
    for (let read = 0; read < 4; read += 1) await audit.appendRead(platformId, aRead());
    await audit.appendRead(platformId, aRead({ subject: "kyc_once" }));
    await age(platformId, 1);
    await writeAll();
    expect(await countsOf(platformId)).toHaveLength(2);
    await age(platformId, 1);
    const [last] = await admin("select last_at from audit_reads where platform_id = $1 and count = 3", [
      platformId,
    ]);
    await writeAll();
    expect(await countsOf(platformId)).toEqual([]);
    const [newest, ...others] = await entriesOf(platformId);
    const { requestId: _, ...read } = aRead();
    expect(newest).toMatchObject({ ...read, requestId: null, count: 3, at: last.last_at.toISOString() });
    expect(others).toHaveLength(2);
    await checkpointAll(platformId);
    expect(await verifyAll(audit, platformId)).toMatchObject({ entries: 3, problems: [] });
    await admin("update audit_entries set count = 2 where platform_id = $1 and count = 3", [platformId]);
    expect((await verifyAll(audit, platformId)).problems).toEqual([
      expect.stringContaining("an entry was changed"),
    ]);
  });

  test("are written once by several workers, in batches", async () => {
    const platformId = await platform();
    for (let subject = 0; subject < 20; subject += 1) {
      for (let read = 0; read < 2; read += 1)
        await audit.appendRead(platformId, aRead({ subject: `kyc_${subject}` }));
    }
    await age(platformId, 2);
    await Promise.all([writeAll(), writeAll(), writeAll()]);
    const counted = (await entriesOf(platformId)).filter(({ count }) => count !== null);
    expect(counted.map(({ subject }) => subject).sort()).toEqual(
      Array.from({ length: 20 }, (_, subject) => `kyc_${subject}`).sort(),
    );
  });
});

describe("a person's read", () => {
  const get = (changes: Partial<AuditEntry> = {}) => aRead({ operation: "records.get", ...changes });
  /** The number of entries, and of the hours in which they were written. */
  const hourlyOf = async (platformId: string) => {
    const entries = await entriesOf(platformId);
    return [entries.length, new Set(entries.map(({ at }) => at.slice(0, 13))).size];
  };

  test("is audited once an hour for each actor and record, also of ten processes at once", async () => {
    const platformId = await platform();
    await Promise.all(Array.from({ length: 20 }, () => audit.appendHourly(platformId, get())));
    await audit.appendHourly(platformId, get({ address: "192.0.2.9", requestId: "req_2" }));
    const [entries, hours] = await hourlyOf(platformId);
    expect(entries).toBe(hours);
    expect((await entriesOf(platformId)).at(-1)).toMatchObject(get());

    const other = await platform();
    await audit.appendHourly(other, get());
    await audit.appendHourly(other, get({ actor: "key_2" }));
    await audit.appendHourly(other, get({ subject: "kyc_2" }));
    expect(await entriesOf(other)).toHaveLength(3);
  });

  test("is audited again in the next hour, and leaves no count", async () => {
    const platformId = await platform();
    await audit.appendHourly(platformId, get());
    await admin("update audit_reads set last_at = last_at - interval '1 hour' where platform_id = $1", [
      platformId,
    ]);
    await audit.appendHourly(platformId, get());
    expect(await entriesOf(platformId)).toHaveLength(2);
    await age(platformId, 2);
    await writeAll();
    expect(await countsOf(platformId)).toEqual([]);
    expect(await entriesOf(platformId)).toHaveLength(2);
  });
});
