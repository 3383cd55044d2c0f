import type { EvidencePurpose } from "@cardbridge/domain";
import { evidencePurpose } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { evidenceRepository, identifyPersons } from "../../src/database.ts";
import { answered, aSubmission, keys, makeWorld } from "../support/world.ts";

const { admin, audit, checkpointAll, database, kyc, platform, set, submitted, urls } = await makeWorld();
const host = "https://files.test/";
const fileIdOf = (url: string) => (url.startsWith(host) ? url.slice(host.length) : undefined);
const evidence = evidenceRepository(database, { keys, fileIdOf });

await identifyPersons(
  database,
  keys,
)({
  ...{ issuer: "https://issuer.example.com", subject: "ada", name: "Ada", roles: [], newPersonId: "per_ada" },
});

const evidenceHash = "a".repeat(64);
const ada = { actor: "per_ada/key_1", requestId: "req_1", address: "192.0.2.1" };
const by = { ...ada, operation: "records.submission" };
let number = 0;

/** Stores a record of a new platform with a file, and opens its evidence. */
async function opened(purpose: EvidencePurpose = "review", personId = "per_ada") {
  number += 1;
  const submission = aSubmission({ frontImageUrl: `${host}file_1` });
  const { platformId, record, kycRecordId } = await submitted(submission);
  const openingId = `open_${number}`;
  const result = await evidence.open({ kycRecordId, openingId, personId, purpose, evidenceHash, by });
  if (!result) throw new Error("not opened");
  return { platformId, kycRecordId, openingId, submission, record, result };
}

const asService = (platformId: string, ...statements: string[]) =>
  withConnection(urls.serviceUrl, async (client) => {
    await client.query(`begin; set local cardbridge.platform = '${platformId}'`);
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  });

describe("an opening", () => {
  test.each(evidencePurpose.options)("for %s returns the evidence, with its audit entry", async (purpose) => {
    const { platformId, kycRecordId, openingId, submission, result } = await opened(purpose);
    const [entry] = (await audit.list([platformId], { limit: 1 })).entries;
    expect(entry).toMatchObject({
      ...{ id: result.auditId, operation: "records.submission", subject: kycRecordId, outcome: "done" },
      ...{ person: "per_ada", actor: "key_1", purpose, requestId: "req_1", address: "192.0.2.1" },
    });
    expect(result).toMatchObject({
      ...{ platformId, kycRecordId, openingId, submission, openedAt: entry?.at },
      version: expect.stringMatching(/^\d+$/),
    });
    expect(Date.parse(result.expiresAt) - Date.parse(result.openedAt)).toBe(900_000);
    const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(await evidence.covered(kycRecordId)).toEqual({ platformId, fingerprint, submission });
  });

  test("is found by its person and record, until it expires", async () => {
    const { kycRecordId, openingId, result } = await opened();
    const { submission, version, ...opening } = result;
    const find = (personId = "per_ada", id = openingId, of = kycRecordId) =>
      evidence.opening(id, { kycRecordId: of, personId });
    expect(await find()).toEqual(opening);
    expect(await find("per_eve")).toBeNull();
    expect(await find("per_ada", "open_none")).toBeNull();
    const other = await opened();
    expect(await find("per_ada", openingId, other.kycRecordId)).toBeNull();
    expect(await find("per_ada", openingId, "kyc_none")).toBeNull();
    await admin(`update evidence_openings set expires_at = clock_timestamp() where id = '${openingId}'`);
    expect(await find()).toBeNull();
  });

  test("tells which files the record uses", async () => {
    const { result } = await opened();
    expect(await evidence.uses(result, "file_1")).toBe(true);
    expect(await evidence.uses(result, "file_2")).toBe(false);
  });

  test("ends with an erasure and with its record", async () => {
    const { kycRecordId, openingId, result } = await opened();
    await set(kycRecordId, "encrypted = null, fingerprint = null");
    expect(await evidence.opening(openingId, { kycRecordId, personId: "per_ada" })).toBeNull();
    expect(await evidence.uses(result, "file_1")).toBe(false);
    expect(await evidence.covered(kycRecordId)).toMatchObject({ fingerprint: null, submission: null });
    await admin(`delete from webhook_events where platform_id = '${result.platformId}'`);
    await admin(`delete from kyc_history where record_id = '${kycRecordId}'`);
    await admin(`delete from kyc_records where id = '${kycRecordId}'`);
    expect(await admin(`select from evidence_openings where id = '${openingId}'`)).toEqual([]);
    const again = { kycRecordId, openingId: "open_x", personId: "per_ada", purpose: "review", by } as const;
    expect(await evidence.open({ ...again, evidenceHash })).toBeNull();
    expect(await evidence.covered(kycRecordId)).toBeNull();
  });

  test("is deleted a day after it expired", async () => {
    const { openingId } = await opened();
    const age = (hours: number) =>
      admin(
        `update evidence_openings set expires_at = now() - interval '${hours} hours' where id = '${openingId}'`,
      );
    await age(23);
    expect(await evidence.sweep(100)).toBe(0);
    await age(25);
    expect(await evidence.sweep(100)).toBe(1);
  });

  test("leaves a valid audit, which a changed purpose makes invalid", async () => {
    const { platformId, result } = await opened("fraud");
    await checkpointAll(platformId);
    expect((await audit.verify(platformId, { after: 0 })).problems).toEqual([]);
    await admin(`update audit_entries set purpose = 'review' where id = ${result.auditId}`);
    expect((await audit.verify(platformId, { after: 0 })).problems).not.toEqual([]);
  });
});

describe("by SQL under the service's role", () => {
  const call = (
    kycRecordId: string,
    { id = "open_sql", person = "per_ada", purpose = "'review'", actor = "per_ada/key_1" } = {},
  ) =>
    `select * from open_evidence('${id}', '${kycRecordId}', '${person}', ${purpose}, '${actor}', null, null, '${evidenceHash}')`;
  const entries = async (platformId: string) =>
    (await audit.list([platformId], { limit: 100 })).entries.filter(({ operation }) =>
      operation.startsWith("records."),
    );

  test("an opening has its audit entry in its transaction", async () => {
    const { platformId, kycRecordId } = await opened();
    const before = await entries(platformId);
    await asService(platformId, call(kycRecordId));
    expect(await entries(platformId)).toEqual(before);
    expect(await admin("select from evidence_openings where id = 'open_sql'")).toEqual([]);
    await asService(platformId, call(kycRecordId), "commit");
    expect(await entries(platformId)).toHaveLength(before.length + 1);
  });

  test.each([
    ["no purpose", { id: "open_a", purpose: "null" }],
    ["an unknown purpose", { id: "open_b", purpose: "'curiosity'" }],
    ["another person than its actor", { id: "open_c", person: "per_eve" }],
    ["no person", { id: "open_d", person: "" }],
    ["an unknown person", { id: "open_e", person: "per_none", actor: "per_none/key_1" }],
    ["a person without an id", { id: "open_f", person: "per_", actor: "per_/key_1" }],
    ["the id of another opening", { id: "open_1" }],
  ])("an opening with %s is refused", async (_, changes) => {
    const { platformId, kycRecordId } = await opened();
    await expect(asService(platformId, call(kycRecordId, changes))).rejects.toMatchObject({
      code: expect.stringMatching(/^235/),
    });
  });

  test("another platform opens and sees nothing", async () => {
    const { kycRecordId, openingId } = await opened();
    const other = await platform();
    expect(await asService(other, call(kycRecordId))).toEqual([]);
    expect(await asService(other, `select from evidence_openings where id = '${openingId}'`)).toEqual([]);
    expect(await entries(other)).toEqual([]);
  });

  describe("restricted reasons", () => {
    const operation = "records.restrictedReasons";
    const insert = (platformId: string, subject: string, changes: Record<string, string> = {}) => {
      const row = { actor: "per_ada/key_1", operation, outcome: "done", ...changes };
      return `insert into audit_entries (platform_id, actor, operation, subject, outcome)
        values ('${platformId}', '${row.actor}', '${row.operation}', '${subject}', '${row.outcome}') returning txid, id`;
    };
    const read = (kycRecordId: string, { txid, id }: Record<string, unknown> = {}) =>
      `select reason from restricted_reasons('${kycRecordId}', ${txid}, ${id})`;
    async function rejectedRecord() {
      const { platformId, kycRecordId, record } = await opened();
      const rejected = { ...answered("rejected"), restricted: ["WATCH_LIST_MATCH"] as const };
      await kyc.storeVerdict(platformId, record, { ...rejected, restricted: [...rejected.restricted] });
      const write = async (subject = kycRecordId, changes = {}) => {
        await asService(platformId, insert(platformId, subject, changes), "commit");
        const ofPlatform = `from audit_entries where platform_id = '${platformId}'`;
        return (await admin(`select txid, id ${ofPlatform} order by id desc limit 1`))[0];
      };
      return { platformId, kycRecordId, write };
    }

    test("are read for a committed entry, which a rollback of the read does not remove", async () => {
      const { platformId, kycRecordId, write } = await rejectedRecord();
      const entry = await write();
      expect(await asService(platformId, read(kycRecordId, entry))).toEqual([{ reason: "WATCH_LIST_MATCH" }]);
      expect((await entries(platformId))[0]).toMatchObject({ operation, person: "per_ada" });
    });

    test("are not read for an entry of the same transaction, also behind a savepoint", async () => {
      const { platformId, kycRecordId } = await rejectedRecord();
      const last = `(select max(txid) from audit_entries), (select max(id) from audit_entries)`;
      const both = `select reason from restricted_reasons('${kycRecordId}', ${last})`;
      const own = insert(platformId, kycRecordId);
      for (const statements of [[own], ["savepoint one", own], ["savepoint one", own, "release one"]]) {
        await expect(asService(platformId, ...statements, both)).rejects.toMatchObject({ code: "23514" });
      }
    });

    test.each([
      ["of another record", { subject: "kyc_other" }],
      ["of another operation", { operation: "records.get" }],
      ["of a refusal", { outcome: "SCOPE_MISSING" }],
      ["of a key", { actor: "key_1" }],
      ["of a person without a key", { actor: "per_ada" }],
      ["of an unknown person", { actor: "per_none/key_1" }],
    ])("are not read for an entry %s", async (_, { subject, ...changes }: Record<string, string>) => {
      const { platformId, kycRecordId, write } = await rejectedRecord();
      const entry = await write(subject ?? kycRecordId, changes);
      await expect(asService(platformId, read(kycRecordId, entry))).rejects.toMatchObject({ code: "23514" });
    });

    test("are not read for an older entry, or on another platform", async () => {
      const { platformId, kycRecordId, write } = await rejectedRecord();
      const entry = await write();
      const other = await platform();
      await expect(asService(other, read(kycRecordId, entry))).rejects.toMatchObject({ code: "23514" });
      await admin(
        `update audit_entries set at = at - interval '61 seconds' where id = ${entry?.id} and platform_id = '${platformId}'`,
      );
      await expect(asService(platformId, read(kycRecordId, entry))).rejects.toMatchObject({ code: "23514" });
    });
  });
});

test("restricted reasons are those of the record's decisions, with an audit entry for each read", async () => {
  const origin = { ...ada, operation: "records.restrictedReasons" };
  const { platformId, kycRecordId, record } = await opened();
  expect(await evidence.restrictedReasons(kycRecordId, origin)).toEqual({ kycRecordId, reasons: [] });
  await kyc.storeVerdict(platformId, record, { ...answered("rejected"), restricted: ["WATCH_LIST_MATCH"] });
  const read = await evidence.restrictedReasons(kycRecordId, origin);
  expect(read?.reasons).toEqual([{ reason: "WATCH_LIST_MATCH", observedAt: expect.any(String) }]);
  const entries = (await audit.list([platformId], { limit: 10 })).entries;
  const audited = entries.filter(({ operation }) => operation === origin.operation);
  const entry = { person: "per_ada", subject: kycRecordId, outcome: "done" };
  expect(audited).toMatchObject([entry, entry]);
  expect(await evidence.restrictedReasons("kyc_none", origin)).toBeNull();
});
