import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { digestOf, hashOf, merkleRootOf } from "../../src/audit/digest.ts";
import { withConnection } from "../../src/database/connect.ts";
import { auditMonthsWorld, nextMonth, pastMonth } from "../support/audit-months.ts";
import { aCaller, aRequest, keys, makeWorld, verifyAll } from "../support/world.ts";

const month = pastMonth();

/** A database with the past month and the platform's first entries in it, under checkpoints of three entries. */
async function aWorld() {
  const world = await makeWorld({ until: onTestFinished });
  const months = auditMonthsWorld(world);
  const platformId = await world.platform();
  const append = async (count: number, operation = "kyc.history") => {
    for (let entry = 0; entry < count; entry += 1)
      await world.audit.append(platformId, {
        ...aCaller,
        operation,
        subject: null,
        outcome: "KYC_RECORD_NOT_FOUND",
      });
  };
  await months.createMonth(month);
  await append(7, "kyc.get");
  await months.moveTo(platformId, month);
  return { ...world, ...months, platformId, append };
}

/** Verifies a file without the database: every digest, hash and link. Returns its entries. */
function verifyFile(text: string, previousHash = "0".repeat(64)) {
  const [header, ...lines] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const entries: Record<string, string>[] = [];
  let previous = previousHash;
  const { first, last } = header;
  for (let number = first; number <= last; number += 1) {
    const { checkpoint } = lines.shift();
    const covered = lines.splice(0, checkpoint.count).map(({ entry }) => entry);
    const revived = covered.map((entry) => ({ ...entry, at: new Date(entry.at) }));
    expect(merkleRootOf(header.platformId, revived as never).toString("hex")).toBe(checkpoint.root);
    expect(checkpoint).toMatchObject({ number, previousHash: previous, platformId: header.platformId });
    expect(digestOf(revived as never, keys.audit).toString("hex")).toBe(checkpoint.digest);
    const { hash, ...content } = { ...checkpoint, createdAt: new Date(checkpoint.createdAt) };
    expect(hashOf(content, keys.audit).toString("hex")).toBe(hash);
    previous = hash;
    entries.push(...covered);
  }
  expect(lines).toEqual([]);
  return { header, entries, last: previous };
}

test("a file has whole checkpoints, and is verified without the database; the next one continues it", async () => {
  const { platformId, append, checkpointAll, exportMonth, files } = await aWorld();
  await append(4);
  await checkpointAll(platformId, 3);
  expect(await exportMonth(platformId, month)).toEqual({
    checkpoints: 3,
    entries: 9,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const { header, entries, last } = verifyFile(files.get(`${platformId} ${month}`) ?? "");
  expect(header).toEqual({ format: "cardbridge-audit-1", platformId, month, first: 1, last: 3 });
  expect(entries.map(({ operation }) => operation)).toEqual([
    ...Array(7).fill("kyc.get"),
    ...Array(2).fill("kyc.history"),
  ]);
  // The rest of the present month, once it is over.
  expect(await exportMonth(platformId, nextMonth(month))).toMatchObject({ checkpoints: 1, entries: 2 });
  verifyFile(files.get(`${platformId} ${nextMonth(month)}`) ?? "", last);
});

test("a repeated export is equal, and one that would differ is reported", async () => {
  const { platformId, append, checkpointAll, exportMonth, files, admin } = await aWorld();
  await checkpointAll(platformId);
  const first = await exportMonth(platformId, month);
  const file = files.get(`${platformId} ${month}`);
  await append(3);
  await checkpointAll(platformId);
  expect(await exportMonth(platformId, month)).toEqual(first);
  expect(files.get(`${platformId} ${month}`)).toBe(file);
  await admin("update audit_exports set hash = ''");
  expect(await exportMonth(platformId, month)).toMatchObject({ problem: expect.stringContaining("differ") });
});

test("a month is not exported before its checkpoints, its counts of reads and the months before", async () => {
  const { platformId, append, audit, checkpointAll, exportMonth, admin, moveTo } = await aWorld();
  expect(await exportMonth(platformId, month)).toEqual({ problem: expect.stringContaining("no checkpoint") });
  await checkpointAll(platformId);
  expect(await exportMonth(platformId, pastMonth(2))).toBeNull();
  expect(await exportMonth(platformId, nextMonth(month))).toEqual({ problem: `Export ${month} first.` });
  await audit.appendRead(platformId, { ...aCaller, operation: "kyc.get", subject: "kyc_1", outcome: "done" });
  await admin("update audit_reads set day = $1", [`${month}-28`]);
  expect(await exportMonth(platformId, month)).toEqual({
    problem: expect.stringContaining("Counts of reads"),
  });
  await admin("delete from audit_reads");
  await append(1);
  await moveTo(platformId, month);
  await checkpointAll(platformId);
  await admin("update audit_entries set actor = 'key_x' where id = (select max(id) from audit_entries)");
  expect(await exportMonth(platformId, month)).toEqual({
    problem: expect.stringContaining("an entry was changed"),
  });
  expect(await admin("select from audit_exports")).toEqual([]);
});

test("a dropped month leaves the anchor from which verification starts", async () => {
  const { platformId, platform, append, audit, checkpointAll, exportMonth, admin, drop, partitions } =
    await aWorld();
  await append(4);
  await checkpointAll(platformId, 3);
  const other = await platform();
  const before = await verifyAll(audit, platformId);
  expect(before).toMatchObject({ checkpoints: 4, entries: 11, anchor: null, problems: [] });
  expect(await audit.list([platformId], { limit: 1 }).then(({ since }) => since)).toBeNull();
  expect(await drop(month)).toBe(`The entries of ${platformId} are not exported.`);
  await exportMonth(platformId, month);
  expect(await drop(month)).toBeNull();
  expect(await partitions()).not.toContain(`audit_entries_${month.replace("-", "_")}`);
  expect(
    await admin("select number from audit_checkpoints where platform_id = $1 order by 1", [platformId]),
  ).toEqual([{ number: 3 }, { number: 4 }]);
  const after = await verifyAll(audit, platformId);
  expect(after).toEqual({
    ...before,
    checkpoints: 1,
    entries: 2,
    anchor: { number: 3, hash: expect.any(String) },
  });
  expect(await audit.list([platformId], { limit: 1 }).then(({ since }) => since)).toBe(
    `${nextMonth(month)}-01T00:00:00.000Z`,
  );
  expect(await audit.list([other], { limit: 1 }).then(({ since }) => since)).toBeNull();
  expect((await verifyAll(audit, platformId, before.last ?? undefined)).problems).toEqual([]);
  expect((await verifyAll(audit, platformId, { number: 2, hash: "0".repeat(64) })).problems).toEqual([
    expect.stringContaining("was dropped with its month"),
  ]);
  expect((await verifyAll(audit, platformId, after.anchor ?? undefined)).problems).toEqual([]);
  expect(await exportMonth(platformId, month)).toEqual({ problem: "The month was dropped." });
  await append(1);
  await checkpointAll(platformId);
  expect(await verifyAll(audit, platformId)).toMatchObject({ checkpoints: 2, entries: 3, problems: [] });
});

test.each([
  ["the record of the export", "update audit_exports set last_number = 2", "The record of the export"],
  ["the anchor", "update audit_checkpoints set count = 9 where number = 3", "Checkpoint 3"],
  ["a removed anchor", "delete from audit_checkpoints where number = 3", "Checkpoint 3"],
])("verification reports %s that was changed", async (_, change, problem) => {
  const { platformId, append, audit, checkpointAll, exportMonth, admin, drop } = await aWorld();
  await append(4);
  await checkpointAll(platformId, 3);
  await exportMonth(platformId, month);
  await drop(month);
  await admin(change);
  const { problems } = await verifyAll(audit, platformId);
  expect(problems.join("\n")).toContain(problem);
});

test("months are dropped in their order, after their end, and also from the default partition", async () => {
  const { audit, platform, checkpointAll, exportMonth, admin, drop, moveTo } = await aWorld();
  await admin("delete from audit_entries");
  const platformId = await platform();
  const other = pastMonth(2);
  for (const one of [other, month]) {
    await audit.append(platformId, { ...aCaller, subject: null, outcome: "done" });
    await moveTo(platformId, one);
    await checkpointAll(platformId);
  }
  expect(await admin("select from audit_entries_default")).toHaveLength(1);
  expect(await drop(nextMonth(month))).toBe("The month is not over.");
  expect(await drop(month)).toContain("An earlier month has entries");
  for (const one of [other, month]) {
    await exportMonth(platformId, one);
    expect(await drop(one)).toBeNull();
    expect(await verifyAll(audit, platformId)).toMatchObject({ problems: [] });
  }
  expect(await admin("select from audit_entries where platform_id = $1", [platformId])).toEqual([]);
});

test("no call waits for a drop that waits for a transaction", async () => {
  const { platformId, kyc, platform, checkpointAll, exportMonth, drop, urls, partitions } = await aWorld();
  await checkpointAll(platformId);
  await exportMonth(platformId, month);
  const dropping = await withConnection(urls.adminUrl, async (reader) => {
    await reader.query("begin; select count(*) from audit_entries");
    const dropping = drop(month);
    await withConnection(urls.adminUrl, async (client) => {
      const waiting = async () => {
        const { rows } = await client.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%drop_audit_month%'",
        );
        return rows.length;
      };
      await expect.poll(waiting, { interval: 5 }).toBe(1);
    });
    const submitter = await platform();
    // The drop gives up its place in the queue: the submission ends while the reader's transaction stays open.
    await kyc.createOrReplay(submitter, aRequest());
    await reader.query("commit");
    return { dropping };
  });
  expect(await dropping.dropping).toBeNull();
  expect(await partitions()).not.toContain(`audit_entries_${month.replace("-", "_")}`);
});

test("an entry that a transaction adds to an exported month is not dropped", async () => {
  const { platformId, checkpointAll, exportMonth, drop, urls } = await aWorld();
  await checkpointAll(platformId);
  await exportMonth(platformId, month);
  const dropping = await withConnection(urls.adminUrl, async (writer) => {
    await writer.query(`begin; insert into audit_entries (platform_id, actor, operation, outcome, at)
      values ('${platformId}', 'x', 'x', 'done', '${month}-28Z')`);
    const dropping = drop(month);
    await wait(50);
    await writer.query("commit");
    return { dropping };
  });
  expect(await dropping.dropping).toBe(`The entries of ${platformId} are not exported.`);
});

test("the service's role cannot drop a month", async () => {
  const { urls } = await aWorld();
  await expect(
    withConnection(urls.serviceUrl, (client) => client.query("select drop_audit_month('2026-01-01')")),
  ).rejects.toMatchObject({ code: "42501" });
});
