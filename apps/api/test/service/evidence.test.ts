import { appendFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { evidencePurpose, operatorScope, type Role, role } from "@cardbridge/domain";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../src/admission/api-key.ts";
import { startIssuer } from "../support/issuer.ts";
import { makeInternalKey } from "../support/keys.ts";
import { sampleImage, samplePdf } from "../support/samples.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { problemIn, trpcClient } from "../support/trpc.ts";

/** The evidence of a record, opened by persons over the whole service (gap G41). */
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let service: Awaited<ReturnType<typeof startTestService>>;
let appKey: string;
let record: Awaited<ReturnType<typeof submitted>>;
beforeAll(async () => {
  issuer = await startIssuer();
  service = await startTestService({ events: false, env: issuer.env });
  appKey = await makeInternalKey(service.adminUrl, [...operatorScope.options, "kyc:read"]);
  record = await submitted();
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

const mark = "Canary-4711";
const otherHost = "https://files.example.com/canary-selfie.jpg?token=canary";

async function upload(bytes: Uint8Array<ArrayBuffer>, purpose: string) {
  const form = new FormData();
  form.set("purpose", purpose);
  form.set("file", new File([bytes], "file"));
  const headers = { authorization: `Bearer ${demoKeys.first}` };
  const response = await fetch(`${service.url}/openapi/v1/files`, { method: "POST", headers, body: form });
  return (await response.json()) as { fileId: string; url: string };
}

/** Submits a record with an uploaded picture and PDF, and a picture at another host. */
async function submitted() {
  const front = await upload(new Uint8Array(sampleImage), "document_front");
  const proof = await upload(new Uint8Array(samplePdf), "supporting_document");
  const body = {
    ...newSubmission("pending_approval"),
    name: mark,
    frontImageUrl: front.url,
    selfieImageUrl: otherHost,
    supportingDocuments: [{ documentType: "BANK_STATEMENT", fileUrl: proof.url }],
  };
  const response = await fetch(`${service.url}/openapi/v1/users/kyc`, {
    method: "POST",
    headers: { authorization: `Bearer ${demoKeys.first}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { kycRecordId, ...answer } = (await response.json()) as { kycRecordId: string };
  expect(kycRecordId, JSON.stringify(answer)).toMatch(/^kyc_/);
  return { kycRecordId, body, front, proof };
}

async function callAs(roles: readonly Role[], claims = {}) {
  const person = await issuer.token({
    roles: [...roles],
    auth_time: Math.floor(Date.now() / 1_000),
    ...claims,
  });
  return trpcClient({ url: service.url, apiKey: appKey, person });
}

const reviewer = (claims = {}) => callAs(["compliance"], { sub: "reviewer", name: "Ada Byron", ...claims });
const open = async (client: Awaited<ReturnType<typeof callAs>>) =>
  client.records.submission.mutate({ kycRecordId: record.kycRecordId, purpose: "review" });

describe("a record's evidence", () => {
  it("is opened with its fields, and files without any URL", async () => {
    const { kycRecordId, body, front, proof } = record;
    const opened = await open(await reviewer());
    expect(opened.submission).toMatchObject({ name: mark, documentNumber: body.documentNumber });
    expect(opened.files).toMatchObject([
      { field: "frontImageUrl", fileId: front.fileId, host: null, contentType: "image/jpeg" },
      { field: "selfieImageUrl", fileId: null, host: "files.example.com", contentType: null, sha256: null },
      { fileId: proof.fileId, documentType: "BANK_STATEMENT", contentType: "application/pdf" },
    ]);
    expect(JSON.stringify(opened)).not.toMatch(/https?:/);
    expect(opened).toMatchObject({ kycRecordId, evidenceHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await open(await reviewer())).evidenceHash).toBe(opened.evidenceHash);
  });

  it.each(["curiosity", "", null])("is not opened for the purpose %j", async (purpose) => {
    const { kycRecordId } = record;
    const client = await reviewer();
    const problem = await problemIn(client.records.submission.mutate({ kycRecordId, purpose } as never));
    expect(problem).toMatchObject({ code: "INVALID_INPUT", errors: [{ path: "/purpose" }] });
    for (const name of evidencePurpose.options) expect(JSON.stringify(problem)).toContain(name);
  });
});

describe("a file of opened evidence", () => {
  const show = (client: Awaited<ReturnType<typeof callAs>>, openingId: string, fileId: string, page = 1) =>
    client.records.submissionFile.query({ kycRecordId: record.kycRecordId, openingId, fileId, page });

  it("is shown as a WebP with a watermark, and a PDF page by page", async () => {
    const client = await reviewer();
    const { openingId } = await open(client);
    const picture = await show(client, openingId, record.front.fileId);
    const metadata = await sharp(Buffer.from(picture.image, "base64")).metadata();
    expect(metadata).toMatchObject({ format: "webp", width: picture.width, height: picture.height });
    const page = await show(client, openingId, record.proof.fileId);
    expect(page).toMatchObject({ page: 1, pages: page.allPages });
    expect(Math.max(page.width, page.height)).toBe(2_048);
    const beyond = await problemIn(show(client, openingId, record.proof.fileId, page.allPages + 1));
    expect(beyond).toMatchObject({ code: "INVALID_INPUT", errors: [{ path: "page", rule: "page-exists" }] });
  });

  it("is shown to nobody else, and for no other file", async () => {
    const client = await reviewer();
    const { openingId } = await open(client);
    const other = await callAs(["compliance"], { sub: "another" });
    expect(await problemIn(show(other, openingId, record.front.fileId))).toMatchObject({
      code: "EVIDENCE_CLOSED",
    });
    expect(await problemIn(show(client, "open_unknown", record.front.fileId))).toMatchObject({
      code: "EVIDENCE_CLOSED",
    });
    const foreign = await upload(new Uint8Array(sampleImage), "selfie");
    expect(await problemIn(show(client, openingId, foreign.fileId))).toMatchObject({
      code: "FILE_NOT_FOUND",
    });
  });
});

it("a changed or lost file is not available, and nothing of it is in the answer or the log", async () => {
  const names = () => readdir(service.filesFolder);
  const before = await names();
  const { kycRecordId, front } = await submitted();
  const added = (await names()).filter((name) => !before.includes(name));
  const client = await reviewer();
  const { openingId } = await client.records.submission.mutate({ kycRecordId, purpose: "review" });
  const show = () => client.records.submissionFile.query({ kycRecordId, openingId, fileId: front.fileId });
  for (const [reason, damage] of [
    ["not-authentic", (path: string) => appendFile(path, "more")],
    ["blob-missing", (path: string) => rm(path)],
  ] as const) {
    for (const name of added) await damage(join(service.filesFolder, name));
    const problem = await problemIn(show());
    expect(problem).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    const log = service.lines.join("\n");
    expect(log).toContain(reason);
    for (const text of [...added, service.filesFolder])
      expect(JSON.stringify(problem) + log, text).not.toContain(text);
  }
});

it("the audit names person, record and purpose, and each file once an hour", async () => {
  const client = await reviewer({ sub: "audited" });
  const { personId } = await client.persons.me.query({});
  const { openingId, auditId, platformId } = await open(client);
  const input = { kycRecordId: record.kycRecordId, openingId, fileId: record.front.fileId };
  for (let count = 0; count < 2; count += 1) await client.records.submissionFile.query(input);
  const auditor = await callAs(role.options, { sub: "auditor" });
  const { entries } = await auditor.audit.list.query({ platformId });
  const theirs = entries.filter(({ person }) => person === personId);
  expect(theirs.map(({ operation, subject, purpose }) => ({ operation, subject, purpose }))).toEqual([
    { operation: "records.submissionFile", subject: record.front.fileId, purpose: null },
    { operation: "records.submission", subject: record.kycRecordId, purpose: "review" },
  ]);
  expect(theirs[1]?.id).toBe(auditId);
});

it("the audit names the record whose files were refused, on its platform", async () => {
  const { kycRecordId, front } = record;
  const other = await callAs(["compliance"], { sub: "prying" });
  const { personId } = await other.persons.me.query({});
  const input = { kycRecordId, openingId: "open_canary", fileId: front.fileId };
  expect(await problemIn(other.records.submissionFile.query(input))).toMatchObject({
    code: "EVIDENCE_CLOSED",
  });
  const auditor = await callAs(role.options, { sub: "auditor" });
  const { entries } = await auditor.audit.list.query({ platformIds: ["plt_demo_one"], personId });
  expect(entries).toMatchObject([
    { operation: "records.submissionFile", outcome: "EVIDENCE_CLOSED", subject: kycRecordId },
  ]);
});

it("identifiers and an export need a purpose, which the audit keeps", async () => {
  const client = await reviewer({ sub: "identifying" });
  const { memberId, email } = record.body;
  const { platformId } = await open(client);
  const support = await callAs(role.options, { sub: "all" });
  const { externalUserId } = await support.users.show.query({ platformId, memberId });
  const named = { platformId, externalUserId, purpose: "person" as const };
  expect(await client.users.identifiers.mutate(named)).toEqual({ externalUserId, memberId, email });
  expect(await client.users.exportPart.mutate({ ...named, index: 0 })).toHaveProperty("name");
  const { entries } = await support.audit.list.query({ platformId });
  expect(entries.find(({ operation }) => operation === "users.identifiers")).toMatchObject({
    purpose: "person",
    subject: externalUserId,
  });
});

it("nothing of it is in the log", () => {
  const log = service.lines.join("\n");
  const { documentNumber, email } = record.body;
  for (const text of [mark, documentNumber, email, "canary", "Ada Byron"]) expect(log).not.toContain(text);
});
