import { describe, expect, test } from "vitest";
import { verifyAudit } from "../../src/audit/verify.ts";
import { withConnection } from "../../src/database/connect.ts";
import { codeOf, operatorCall } from "../support/calls.ts";
import { aCaller, keys, makeWorld, verifyAll } from "../support/world.ts";

const { audit, platform, checkpointAll, ports, urls } = await makeWorld();

const asAdmin = (statement: string) => withConnection(urls.adminUrl, (client) => client.query(statement));

/** A platform whose checkpoints cover one entry each. */
async function checkpointedPlatform(checkpoints: number): Promise<{ platformId: string; hashes: string[] }> {
  const platformId = await platform();
  const entry = { ...aCaller, operation: "kyc.get", subject: null, outcome: "done" } as const;
  for (let number = 1; number <= checkpoints; number += 1) await audit.append(platformId, entry);
  return { platformId, hashes: (await checkpointAll(platformId, 1)).map(({ hash }) => hash) };
}

test("a chain without checkpoints verifies in one batch", async () => {
  const platformId = await platform();
  const empty = {
    anchor: null,
    checkpoints: 0,
    entries: 0,
    last: null,
    problems: [],
    next: null,
    pending: 0,
  };
  expect(await audit.verify(platformId, { after: 0 })).toEqual(empty);
});

test("checkpoints are verified in batches of 20, each starting where the previous batch ended", async () => {
  const { platformId, hashes } = await checkpointedPlatform(45);
  await audit.append(platformId, { ...aCaller, subject: null, outcome: "done" });
  const reference = (number: number) => ({ number, hash: hashes[number - 1] });
  const batch = (after: number) => audit.verify(platformId, { after });
  const whole = { anchor: null, checkpoints: 20, entries: 20, problems: [], pending: null };
  expect(await batch(0)).toEqual({ ...whole, last: reference(20), next: 20 });
  expect(await batch(20)).toEqual({ ...whole, last: reference(40), next: 40 });
  const rest = { anchor: null, checkpoints: 5, entries: 5, problems: [], pending: 1 };
  expect(await batch(40)).toEqual({ ...rest, last: reference(45), next: null });
  expect(await batch(45)).toEqual({ ...rest, checkpoints: 0, entries: 0, last: null, next: null });
  // A batch may start at any checkpoint.
  expect(await batch(7)).toMatchObject({ checkpoints: 20, last: reference(27), next: 27, problems: [] });
  expect(await verifyAll(audit, platformId)).toMatchObject({
    batches: 3,
    checkpoints: 45,
    entries: 45,
    pending: 1,
    problems: [],
  });
});

test("a chain of exactly one batch has no further batch", async () => {
  const { platformId } = await checkpointedPlatform(20);
  expect(await audit.verify(platformId, { after: 0 })).toMatchObject({
    checkpoints: 20,
    next: null,
    pending: 0,
  });
});

test("verification needs the key of the checkpoints: the database alone cannot forge a checkpoint", async () => {
  const { platformId } = await checkpointedPlatform(2);
  const other = { ...ports, keySet: { ...keys, audit: Buffer.alloc(32) } };
  const { data } = await verifyAudit.execute(other, operatorCall, { platformId });
  const { problems } = data;
  expect(problems).toEqual(["Checkpoint 1 was changed.", "Checkpoint 2 was changed."]);
});

test("the audit of the internal apps is verified, and one of no platform is an error", async () => {
  await audit.append("internal", { ...aCaller, subject: null, outcome: "done" });
  await checkpointAll("internal");
  const verified = verifyAudit.execute(ports, operatorCall, { platformId: "internal" });
  expect((await verified).data).toMatchObject({ checkpoints: 1, problems: [], pending: 0 });
  expect(await codeOf(verifyAudit.execute(ports, operatorCall, { platformId: "plt_none" }))).toBe(
    "PLATFORM_NOT_FOUND",
  );
});

describe("verification reports the batch that contains", () => {
  const at = (platformId: string, number: number) => `platform_id = '${platformId}' and number = ${number}`;
  const entryUnder = (platformId: string, number: number) =>
    `platform_id = '${platformId}' and id = (select last_id from audit_checkpoints where ${at(platformId, number)})`;
  const problemsIn = async (platformId: string) => {
    const problems: string[][] = [];
    for (let after: number | null = 0; after !== null; ) {
      const batch: Awaited<ReturnType<typeof audit.verify>> = await audit.verify(platformId, { after });
      problems.push(batch.problems);
      after = batch.next;
    }
    return problems;
  };

  test.each([3, 20, 21, 41])("a changed entry under checkpoint %i", async (number) => {
    const { platformId } = await checkpointedPlatform(42);
    await asAdmin(`update audit_entries set actor = 'key_x' where ${entryUnder(platformId, number)}`);
    const problems: string[][] = [[], [], []];
    problems[Math.floor((number - 1) / 20)] = [
      `Under checkpoint ${number}, which covers 1, an entry was changed.`,
    ];
    expect(await problemsIn(platformId)).toEqual(problems);
  });

  test.each([
    ["changed", 20, "update audit_checkpoints set digest = hash", [["Checkpoint 20 was changed."], [], []]],
    ["changed", 21, "update audit_checkpoints set digest = hash", [[], ["Checkpoint 21 was changed."], []]],
    ["deleted", 20, "delete from audit_checkpoints", [["Checkpoint 20 is missing."], [], []]],
    ["deleted", 42, "delete from audit_checkpoints", [[], [], ["Checkpoint 42 is missing."]]],
  ])("a %s checkpoint %i", async (_name, number, statement, problems) => {
    const { platformId } = await checkpointedPlatform(43);
    await asAdmin(`${statement} where ${at(platformId, number)}`);
    expect(await problemsIn(platformId)).toEqual(problems);
  });

  test("an entry added between two batches", async () => {
    const { platformId } = await checkpointedPlatform(22);
    await asAdmin(
      `insert into audit_entries (platform_id, txid, id, at, actor, operation, outcome) overriding system value
       select platform_id, last_txid, last_id + 1000000, now(), 'key_1', 'kyc.get', 'done'
       from audit_checkpoints where ${at(platformId, 20)}`,
    );
    expect(await problemsIn(platformId)).toEqual([
      [],
      ["Under checkpoint 21, which covers 1, entries were added."],
    ]);
  });

  test("checkpoints that were deleted after their verification, before the batch", async () => {
    const { platformId } = await checkpointedPlatform(22);
    await asAdmin(`delete from audit_checkpoints where platform_id = '${platformId}' and number in (19, 20)`);
    const { problems } = await audit.verify(platformId, { after: 20 });
    expect(problems).toEqual(["Checkpoints 19 to 20 are missing."]);
  });

  test("an end of the chain that was cut off after its verification", async () => {
    const { platformId } = await checkpointedPlatform(22);
    await asAdmin(`delete from audit_checkpoints where platform_id = '${platformId}' and number > 19`);
    expect(await audit.verify(platformId, { after: 20 })).toMatchObject({
      checkpoints: 0,
      next: null,
      problems: ["Checkpoint 20, which was verified, is missing: the end of the chain was cut off."],
    });
  });

  test("no problem for a forged checkpoint 0, which is ignored", async () => {
    const { platformId } = await checkpointedPlatform(2);
    await asAdmin(
      `insert into audit_checkpoints select platform_id, 0, first_txid, first_id, last_txid, last_id, count, digest,
         previous_hash, hash, created_at from audit_checkpoints where ${at(platformId, 2)}`,
    );
    expect(await problemsIn(platformId)).toEqual([[]]);
  });
});

describe("a known checkpoint", () => {
  const verify = (platformId: string, after: number, number: number, hash = "0".repeat(64)) =>
    audit.verify(platformId, { after, known: { number, hash } });

  test("is checked only in the batch that contains its number", async () => {
    const { platformId, hashes } = await checkpointedPlatform(42);
    const other = ["Checkpoint 25 differs from the known checkpoint: the chain was rewritten."];
    expect((await verify(platformId, 0, 25)).problems).toEqual([]);
    expect((await verify(platformId, 20, 25)).problems).toEqual(other);
    expect((await verify(platformId, 40, 25)).problems).toEqual([]);
    expect((await verify(platformId, 20, 25, hashes[24])).problems).toEqual([]);
    expect((await verifyAll(audit, platformId, { number: 25, hash: "0".repeat(64) })).problems).toEqual(
      other,
    );
  });

  test("is checked in the last batch if the chain ends before it", async () => {
    const { platformId } = await checkpointedPlatform(21);
    const missing = ["Checkpoint 99, which was known, is missing: the end of the chain was cut off."];
    expect((await verify(platformId, 0, 99)).problems).toEqual([]);
    expect((await verify(platformId, 20, 99)).problems).toEqual(missing);
    expect((await verify(await platform(), 0, 99)).problems).toEqual(missing);
  });
});
