import type {
  EncryptedFile,
  EvidencePurpose,
  KycSubmission,
  PageToRender,
  RecordSubmission,
} from "@cardbridge/domain";
import { evidencePurpose } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { coveredEvidence, currentEvidenceHash } from "../../src/evidence/evidence.ts";
import { hasOpenedEvidence, sweepOpenings } from "../../src/evidence/openings.ts";
import { readRestrictedReasons } from "../../src/evidence/restricted-reasons.ts";
import { openRecordSubmission } from "../../src/evidence/submission.ts";
import { showSubmissionFile } from "../../src/evidence/submission-file.ts";
import type { Ports } from "../../src/index.ts";
import { codeOf, personCall } from "../support/calls.ts";
import { askedRecord, statement } from "../support/document-requests.ts";
import { answered, aSubmission, makeWorld } from "../support/world.ts";

const world = await makeWorld();
const { admin, audit, checkpointAll, kyc, person, platform, set, submitted, urls } = world;
await person({ personId: "per_ada", name: "Ada" });

const host = "https://files.test/";
const [file, otherFile] = ["1", "2"].map((digit) => `file_${digit.repeat(26)}`) as [string, string];
const stored = {
  contentType: "image/jpeg" as const,
  address: { url: "file:///blob", authorities: [] },
  key: new Uint8Array([3]),
};
const rendered: (Omit<PageToRender, "file"> & { file: EncryptedFile })[] = [];
/** The files that the serving process read. */
const read: string[] = [];
const gone = new Set<string>();
const ports: Ports = {
  ...world.ports,
  fileUrls: {
    ...world.ports.fileUrls,
    fileIdOf: (url) => (url.startsWith(host) ? url.slice(host.length) : undefined),
  },
  files: {
    ...world.ports.files,
    async read(_platformId, fileId) {
      read.push(fileId);
      return { contentType: "image/jpeg", bytes: new Uint8Array([1]) };
    },
    locate: async (platformId, fileId) => (gone.has(fileId) ? null : { platformId, fileId, ...stored }),
  },
  evidenceRenderer: {
    async render({ file, ...page }) {
      rendered.push({ ...page, file: await file() });
      return { image: "Ag==", width: 8, height: 6, allPages: 12 };
    },
  },
};

const evidenceHash = "a".repeat(64);
const reviewer = personCall(["ops.evidence"]);
const open = async (kycRecordId: string, purpose: EvidencePurpose = "review"): Promise<RecordSubmission> =>
  (await openRecordSubmission.execute(ports, reviewer, { kycRecordId, purpose })).data;
const show = (kycRecordId: string, openingId: string, { fileId = file, call = reviewer } = {}) =>
  showSubmissionFile.execute(ports, call, { kycRecordId, openingId, fileId });

/** Stores a record of a new platform with a file, and opens its evidence. */
async function opened(purpose: EvidencePurpose = "review") {
  const submission: KycSubmission = aSubmission({ frontImageUrl: host + file });
  const { platformId, record, kycRecordId } = await submitted(submission);
  const result = await open(kycRecordId, purpose);
  return { platformId, kycRecordId, openingId: result.openingId, submission, record, result };
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
    const { platformId, kycRecordId, submission, result } = await opened(purpose);
    const [entry] = (await audit.list([platformId], { limit: 1 })).entries;
    expect(entry).toMatchObject({
      ...{ id: result.auditId, operation: "records.submission", subject: kycRecordId, outcome: "done" },
      ...{ person: "per_ada", actor: "key_1", purpose, requestId: "req_1" },
    });
    const { frontImageUrl: _front, selfieImageUrl: _selfie, ...fields } = submission;
    expect(result).toMatchObject({ platformId, kycRecordId, submission: fields, openedAt: entry?.at });
    expect(result.version).toMatch(/^\d+$/);
    expect(Date.parse(result.expiresAt) - Date.parse(result.openedAt)).toBe(900_000);
    expect(result.files).toMatchObject([
      { field: "frontImageUrl", fileId: file, contentType: "image/jpeg" },
      { field: "selfieImageUrl", fileId: null, host: "files.example.com", sha256: null },
    ]);
    expect(JSON.stringify(result)).not.toContain("https:");
    const record = { platformId, kycRecordId };
    const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(await coveredEvidence(ports, record)).toEqual({ fingerprint, submission, answers: [] });
    expect(await currentEvidenceHash(ports, record)).toBe(result.evidenceHash);
  });

  test("shows the record's files to its person, until it expires", async () => {
    const { platformId, kycRecordId, openingId, result } = await opened();
    read.length = 0;
    const { data } = await show(kycRecordId, openingId);
    expect(read, "The render process reads the file.").toEqual([]);
    expect(data).toEqual({
      ...{ fileId: file, page: 1, pages: 10, allPages: 12 },
      ...{ width: 8, height: 6, image: "Ag==" },
    });
    const { auditId, openedAt } = result;
    const watermark = { name: "Ada", personId: "per_ada", time: openedAt, auditId };
    expect(rendered.at(-1)).toEqual({ file: { platformId, fileId: file, ...stored }, page: 1, watermark });
    expect(await codeOf(show(kycRecordId, openingId, { fileId: otherFile }))).toBe("FILE_NOT_FOUND");
    gone.add(file);
    expect(await codeOf(show(kycRecordId, openingId))).toBe("FILE_NOT_FOUND");
    gone.clear();
    const eve = personCall(["ops.evidence"], { personId: "per_eve" });
    expect(await codeOf(show(kycRecordId, openingId, { call: eve }))).toBe("EVIDENCE_CLOSED");
    expect(await codeOf(show(kycRecordId, "open_none"))).toBe("EVIDENCE_CLOSED");
    const other = await opened();
    expect(await codeOf(show(other.kycRecordId, openingId))).toBe("EVIDENCE_CLOSED");
    expect(await codeOf(show("kyc_none", openingId))).toBe("KYC_RECORD_NOT_FOUND");
    await admin(`update evidence_openings set expires_at = clock_timestamp() where id = '${openingId}'`);
    expect(await codeOf(show(kycRecordId, openingId))).toBe("EVIDENCE_CLOSED");
  });

  test("has the files of the answers after those of the submission, and other evidence than before", async () => {
    const { platformId, kycRecordId, answer } = await askedRecord(world);
    const before = await open(kycRecordId);
    const { documentRequestId } = (await answer([statement(), statement("more")])).data;
    const own = {
      ...ports,
      fileUrls: { ...ports.fileUrls, fileIdOf: (url: string) => (/more/.exec(url) ? file : undefined) },
    };
    const { data } = await openRecordSubmission.execute(own, reviewer, { kycRecordId, purpose: "review" });
    expect(data.files.slice(before.files.length)).toMatchObject([
      {
        ...{ field: `requests/${documentRequestId}/0`, documentType: "BANK_STATEMENT" },
        ...{ fileId: null, host: "files.example.com", sha256: null },
      },
      { field: `requests/${documentRequestId}/1`, fileId: file, contentType: "image/jpeg" },
    ]);
    expect(data.evidenceHash).not.toBe(before.evidenceHash);
    expect(await currentEvidenceHash(own, { platformId, kycRecordId })).toBe(data.evidenceHash);
    const shown = { kycRecordId, openingId: data.openingId, fileId: file };
    expect((await showSubmissionFile.execute(own, reviewer, shown)).data.fileId).toBe(file);
    await admin(
      `update document_requests set encrypted = null, fingerprint = null where record_id = '${kycRecordId}'`,
    );
    expect((await open(kycRecordId)).files).toEqual(before.files);
  });

  test("has an entry of each file once an hour, and of each refused attempt", async () => {
    const { platformId, kycRecordId, openingId } = await opened();
    await show(kycRecordId, openingId);
    expect(await codeOf(show(kycRecordId, "open_none"))).toBe("EVIDENCE_CLOSED");
    const { entries } = await audit.list([platformId], { operation: "records.submissionFile" });
    expect(entries).toMatchObject([
      { subject: kycRecordId, outcome: "EVIDENCE_CLOSED", person: "per_ada" },
      { subject: file, outcome: "done", person: "per_ada" },
    ]);
  });

  test("ends with an erasure and with its record", async () => {
    const { platformId, kycRecordId, openingId } = await opened();
    const record = { platformId, kycRecordId };
    await set(kycRecordId, "encrypted = null, fingerprint = null");
    expect(await codeOf(show(kycRecordId, openingId))).toBe("EVIDENCE_CLOSED");
    expect(await coveredEvidence(ports, record)).toEqual({
      fingerprint: null,
      submission: null,
      answers: [],
    });
    expect(await open(kycRecordId)).toMatchObject({ submission: null, files: [] });
    expect(await codeOf(currentEvidenceHash(ports, record))).toBe("KYC_RECORD_CONFLICT");
    await admin(`delete from webhook_events where platform_id = '${platformId}'`);
    await admin(`delete from kyc_history where record_id = '${kycRecordId}'`);
    await admin(`delete from kyc_records where id = '${kycRecordId}'`);
    expect(await admin(`select from evidence_openings where id = '${openingId}'`)).toEqual([]);
    expect(await codeOf(open(kycRecordId))).toBe("KYC_RECORD_NOT_FOUND");
    expect(await codeOf(coveredEvidence(ports, record))).toBe("KYC_RECORD_NOT_FOUND");
  });

  test("is of one person and of one state of the evidence", async () => {
    const { platformId, kycRecordId, openingId, result } = await opened();
    const has = (changes: { personId?: string; evidenceHash?: string } = {}) =>
      hasOpenedEvidence(ports, {
        ...{ platformId, kycRecordId, personId: "per_ada", evidenceHash: result.evidenceHash },
        ...changes,
      });
    expect(await has()).toBe(true);
    expect(await has({ personId: "per_eve" })).toBe(false);
    expect(await has({ evidenceHash })).toBe(false);
    await admin(`update evidence_openings set expires_at = clock_timestamp() where id = '${openingId}'`);
    expect(await has()).toBe(true);
  });

  test("is deleted a day after it expired", async () => {
    const { openingId } = await opened();
    const age = (hours: number) =>
      admin(
        `update evidence_openings set expires_at = now() - interval '${hours} hours' where id = '${openingId}'`,
      );
    await age(23);
    expect(await sweepOpenings(ports, 100)).toBe(0);
    await age(25);
    expect(await sweepOpenings(ports, 100)).toBe(1);
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
  ])("an opening with %s is refused", async (_, changes) => {
    const { platformId, kycRecordId } = await opened();
    await expect(asService(platformId, call(kycRecordId, changes))).rejects.toMatchObject({
      code: expect.stringMatching(/^235/),
    });
  });

  test("an opening with the id of another one is refused", async () => {
    const { platformId, kycRecordId, openingId } = await opened();
    const again = asService(platformId, call(kycRecordId, { id: openingId }));
    await expect(again).rejects.toMatchObject({ code: "23505" });
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
  const { platformId, kycRecordId, record } = await opened();
  const compliance = personCall(["ops.compliance"]);
  const read = async (of = kycRecordId, call = compliance) =>
    (await readRestrictedReasons.execute(ports, call, { kycRecordId: of })).data;
  expect(await read()).toEqual({ kycRecordId, reasons: [] });
  await kyc.storeVerdict(platformId, record, { ...answered("rejected"), restricted: ["WATCH_LIST_MATCH"] });
  expect((await read()).reasons).toEqual([{ reason: "WATCH_LIST_MATCH", observedAt: expect.any(String) }]);
  const { entries } = await audit.list([platformId], { operation: "records.restrictedReasons" });
  const entry = { person: "per_ada", subject: kycRecordId, outcome: "done" };
  expect(entries).toMatchObject([entry, entry]);
  expect(await codeOf(read("kyc_none"))).toBe("KYC_RECORD_NOT_FOUND");
  const { person: _person, ...key } = compliance;
  expect(await codeOf(read(kycRecordId, key))).toBe("PERSON_REQUIRED");
});
