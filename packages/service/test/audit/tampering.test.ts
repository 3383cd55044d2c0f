import type { CheckpointReference } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { aCaller, makeWorld, verifyAll } from "../support/world.ts";

const { audit, platform, checkpointAll, urls } = await makeWorld();
const problemsOf = async (platformId: string, known?: CheckpointReference) =>
  (await verifyAll(audit, platformId, known)).problems;

/** Statements that only a superuser of the database server can run. */
const asAdmin = (platformId: string, statement: string) =>
  withConnection(urls.adminUrl, (client) => client.query(statement.replaceAll("$1", `'${platformId}'`)));

/** Creates nine entries under three checkpoints, and a tenth entry without a checkpoint. */
async function checkpointedPlatform() {
  const platformId = await platform();
  const append = (number: number) =>
    audit.append(platformId, { ...aCaller, operation: "kyc.get", subject: `kyc_${number}`, outcome: "done" });
  for (let number = 1; number <= 9; number += 1) await append(number);
  const checkpoints = await checkpointAll(platformId, 3);
  await append(10);
  expect(await problemsOf(platformId)).toEqual([]);
  const last = checkpoints.at(-1);
  if (!last) throw new Error("no checkpoint");
  return { platformId, last };
}

const fifth = "platform_id = $1 and subject = 'kyc_5'";
const changed = "Under checkpoint 2, which covers 3, an entry was changed.";
const missing = "Under checkpoint 2, which covers 3, an entry is missing.";
const added = "Under checkpoint 2, which covers 3, entries were added.";
const columns = "platform_id, txid, id, at, actor, operation, subject, outcome";
const copy = (changes: string) =>
  `insert into audit_entries (${columns}) overriding system value select ${changes} from audit_entries where ${fifth}`;

describe("an entry under a checkpoint", () => {
  test.each([
    ["another actor", `update audit_entries set actor = 'key_2' where ${fifth}`],
    ["another operation", `update audit_entries set operation = 'kyc.history' where ${fifth}`],
    [
      "another subject",
      "update audit_entries set subject = 'kyc_x' where platform_id = $1 and subject = 'kyc_5'",
    ],
    ["no subject", `update audit_entries set subject = null where ${fifth}`],
    ["another outcome", `update audit_entries set outcome = 'replayed' where ${fifth}`],
    ["another request", `update audit_entries set request_id = 'req_x' where ${fifth}`],
    ["another address", `update audit_entries set address = null where ${fifth}`],
    ["another time", `update audit_entries set at = at + interval '1 millisecond' where ${fifth}`],
    ["an invalid time", `update audit_entries set at = 'infinity' where ${fifth}`],
  ])("with %s is detected", async (_name, statement) => {
    const { platformId } = await checkpointedPlatform();
    await asAdmin(platformId, statement);
    expect(await problemsOf(platformId)).toEqual([changed]);
  });

  test("that is swapped with another entry is detected", async () => {
    const { platformId } = await checkpointedPlatform();
    await asAdmin(
      platformId,
      `update audit_entries set subject = case subject when 'kyc_4' then 'kyc_5' else 'kyc_4' end
       where platform_id = $1 and subject in ('kyc_4', 'kyc_5')`,
    );
    expect(await problemsOf(platformId)).toEqual([changed]);
  });

  test("that is deleted is detected", async () => {
    const { platformId } = await checkpointedPlatform();
    await asAdmin(platformId, `delete from audit_entries where ${fifth}`);
    expect(await problemsOf(platformId)).toEqual([missing]);
  });

  test("that is moved to another platform is reported as missing", async () => {
    const { platformId } = await checkpointedPlatform();
    await asAdmin(platformId, `update audit_entries set platform_id = '${await platform()}' where ${fifth}`);
    expect(await problemsOf(platformId)).toEqual([missing]);
  });

  test("that is moved after the last checkpoint is reported as missing", async () => {
    const { platformId } = await checkpointedPlatform();
    await asAdmin(platformId, `update audit_entries set txid = txid + 1000000 where ${fifth}`);
    expect(await problemsOf(platformId)).toEqual([missing]);
  });
});

describe("an added entry", () => {
  test.each([
    [
      "among the entries of a checkpoint",
      added,
      copy("platform_id, txid, 1000000, at, actor, operation, subject, outcome"),
    ],
    [
      "before all other entries",
      "Under checkpoint 1, which covers 3, entries were added.",
      copy("platform_id, -5, -5, at, actor, operation, subject, outcome"),
    ],
  ])("%s is detected", async (_name, problem, statement) => {
    const { platformId } = await checkpointedPlatform();
    await asAdmin(platformId, statement);
    expect(await problemsOf(platformId)).toEqual([problem]);
  });

  test("between two checkpoints is detected", async () => {
    const { platformId } = await checkpointedPlatform();
    await asAdmin(
      platformId,
      `insert into audit_entries (${columns}) overriding system value
       select platform_id, last_txid, last_id + 1000000, now(), 'key_1', 'kyc.get', null, 'done'
       from audit_checkpoints where platform_id = $1 and number = 1`,
    );
    expect(await problemsOf(platformId)).toEqual([added]);
  });

  test("in place of a deleted entry is detected", async () => {
    const { platformId } = await checkpointedPlatform();
    await asAdmin(
      platformId,
      copy("platform_id, txid, id + 1000000, at, actor, operation, subject, outcome"),
    );
    await asAdmin(platformId, `delete from audit_entries where ${fifth} and id < 1000000`);
    expect(await problemsOf(platformId)).toEqual([changed]);
  });
});

describe("a checkpoint", () => {
  const second = "where platform_id = $1 and number = 2";

  test.each([
    ["count", "count = 2"],
    ["first entry", "first_id = first_id + 1"],
    ["last entry", "last_txid = last_txid - 1"],
    ["digest", "digest = hash"],
    ["link", "previous_hash = hash"],
    ["hash", "hash = previous_hash"],
    ["time", "created_at = created_at + interval '1 second'"],
  ])("whose %s is changed is detected, and no other checkpoint is reported", async (_name, change) => {
    const { platformId } = await checkpointedPlatform();
    await asAdmin(platformId, `update audit_checkpoints set ${change} ${second}`);
    const report = await verifyAll(audit, platformId);
    expect(report).toMatchObject({ checkpoints: 3, entries: 6, problems: ["Checkpoint 2 was changed."] });
  });

  test("that is deleted is detected", async () => {
    const { platformId } = await checkpointedPlatform();
    await asAdmin(platformId, `delete from audit_checkpoints ${second}`);
    expect(await problemsOf(platformId)).toEqual(["Checkpoint 2 is missing."]);
    await asAdmin(platformId, "delete from audit_checkpoints where platform_id = $1 and number = 1");
    expect(await problemsOf(platformId)).toEqual(["Checkpoints 1 to 2 are missing."]);
  });

  test("that is swapped with another checkpoint is detected", async () => {
    const { platformId } = await checkpointedPlatform();
    for (const change of [
      "number = 9 where number = 2",
      "number = 2 where number = 3",
      "number = 3 where number = 9",
    ])
      await asAdmin(platformId, `update audit_checkpoints set ${change} and platform_id = $1`);
    expect(await problemsOf(platformId)).toEqual(["Checkpoint 2 was changed.", "Checkpoint 3 was changed."]);
  });

  test("of another platform is detected", async () => {
    const [{ platformId }, other] = [await checkpointedPlatform(), await checkpointedPlatform()];
    await asAdmin(platformId, "delete from audit_checkpoints where platform_id = $1");
    await asAdmin(
      platformId,
      `update audit_checkpoints set platform_id = $1 where platform_id = '${other.platformId}'`,
    );
    expect(await problemsOf(platformId)).toEqual(
      [1, 2, 3].map((number) => `Checkpoint ${number} was changed.`),
    );
  });
});

test("a checkpoint of an older chain over the same entries is detected", async () => {
  const { platformId } = await checkpointedPlatform();
  const third = "platform_id = $1 and number = 3";
  await asAdmin(platformId, `create table old_checkpoint as select * from audit_checkpoints where ${third}`);
  await asAdmin(platformId, "delete from audit_checkpoints where platform_id = $1 and number > 1");
  await expect.poll(() => audit.checkpoint(platformId, 3)).not.toBeNull();
  await asAdmin(platformId, "insert into audit_checkpoints select * from old_checkpoint");
  expect(await problemsOf(platformId)).toEqual([
    "Checkpoint 3 does not follow checkpoint 2: one of them belongs to another chain.",
  ]);
});

describe("the end of the chain", () => {
  const cutOff = async (platformId: string) => {
    await asAdmin(platformId, "delete from audit_checkpoints where platform_id = $1 and number = 3");
    await asAdmin(
      platformId,
      "delete from audit_entries where platform_id = $1 and subject in ('kyc_7', 'kyc_8', 'kyc_9', 'kyc_10')",
    );
  };

  test("that is cut off with its entries is detected only with a known checkpoint", async () => {
    const { platformId, last } = await checkpointedPlatform();
    await cutOff(platformId);
    expect(await problemsOf(platformId)).toEqual([]);
    expect(await problemsOf(platformId, last)).toEqual([
      "Checkpoint 3, which was known, is missing: the end of the chain was cut off.",
    ]);
  });

  test("that is cut off and rewritten is detected with a known checkpoint", async () => {
    const { platformId, last } = await checkpointedPlatform();
    expect(await problemsOf(platformId, last)).toEqual([]);
    await cutOff(platformId);
    await audit.append(platformId, { ...aCaller, operation: "kyc.get", subject: "kyc_x", outcome: "done" });
    await checkpointAll(platformId);
    expect(await problemsOf(platformId)).toEqual([]);
    expect(await problemsOf(platformId, last)).toEqual([
      "Checkpoint 3 differs from the known checkpoint: the chain was rewritten.",
    ]);
  });

  test("that is cut off before its checkpoint exists is not detected", async () => {
    const { platformId, last } = await checkpointedPlatform();
    await asAdmin(platformId, "delete from audit_entries where platform_id = $1 and subject = 'kyc_10'");
    expect(await problemsOf(platformId, last)).toEqual([]);
  });

  test("that is cut off without its entries is covered by a new checkpoint", async () => {
    const { platformId, last } = await checkpointedPlatform();
    await asAdmin(platformId, "delete from audit_checkpoints where platform_id = $1 and number = 3");
    await checkpointAll(platformId);
    expect(await verifyAll(audit, platformId)).toMatchObject({
      entries: 10,
      problems: [],
    });
    expect(await problemsOf(platformId, last)).toHaveLength(1);
  });
});
