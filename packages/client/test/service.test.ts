import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { newSubmission, startTestService } from "@cardbridge/api/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type FileSource, responseInfo, type UploadProgress } from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";
import { testRuntime } from "./support/test-runtime.ts";

let service: Awaited<ReturnType<typeof startTestService>>;
let image: Buffer<ArrayBuffer>;
beforeAll(async () => {
  service = await startTestService();
  image = await readFile(new URL("../../../apps/api/samples/document-front.jpg", import.meta.url));
});
afterAll(() => service.stop());

const client = (baseUrl = service.url, apiKey = service.caller().key) => createClient({ baseUrl, apiKey });

it("lists a page and all cards, and reads one card, with a plus sign in an e-mail", async () => {
  const page = await client().cards.list({ memberId: "bob", status: "locked", page: 2, pageSize: 10 });
  expect(page).toMatchObject({ page: 2, total: 15, items: { length: 5 } });
  const all = [];
  for await (const card of client().cards.listAll({ memberId: "bob", pageSize: 20 })) all.push(card.cardId);
  expect(new Set(all).size).toBe(45);
  const submission = newSubmission();
  await client().kyc.submit(submission);
  const { items } = await client().cards.list({ email: submission.email });
  expect(items).toHaveLength(1);
  expect(await client().cards.get(items[0] ?? { cardId: "" })).toEqual(items[0]);
});

it("submits KYC, reads the record and waits for its decision", async () => {
  const submission = newSubmission();
  const { kyc } = client();
  const result = await kyc.submit(submission);
  expect(result).toMatchObject({ code: "KYC_SUBMITTED", status: "APPROVED" });
  expect(responseInfo(result)).toMatchObject({ requestId: expect.stringMatching(/^req_/), replayed: false });
  expect(responseInfo(await kyc.submit(submission))).toMatchObject({ replayed: true });
  const reading = { documentExpiry: "valid", renews: null, requests: [], renewal: null };
  expect(await kyc.get({ email: submission.email })).toEqual({ ...result, ...reading });
  expect((await kyc.history(result)).history.map(({ status }) => status)).toEqual(["PENDING", "APPROVED"]);
  expect(await kyc.waitForDecision(result)).toMatchObject({ decision: "approved", record: result });
});

it.each([
  ["rejected+selfie-mismatch", "rejected", { reasons: [{ code: "SELFIE_MISMATCH" }], final: false }],
  ["refused+document-expired+final", "refused", { reasons: [{ code: "DOCUMENT_EXPIRED" }], final: true }],
  ["pending", "pending", { reasons: [], record: { status: "PENDING_APPROVAL" } }],
])("decides a submission with the tags %s: %s", async (tags, decision, fields) => {
  const submission = newSubmission(tags);
  const options = { idempotencyKey: submission.memberId };
  // Its clock moves only while the client waits.
  const { runtime } = testRuntime();
  const { kyc } = createClient({ baseUrl: service.url, apiKey: service.caller().key, runtime });
  const decided = await kyc.decide(submission, options);
  expect(decided).toMatchObject({ decision, ...fields });
  const { kycRecordId } = decided.record;
  expect(await kyc.decide(submission, options)).toMatchObject({ decision, record: { kycRecordId } });
});

it("decides renewals: the user stays approved", async () => {
  const submission = { ...newSubmission("approved+renewal+rejected"), documentExpiryDate: "2020-05-01" };
  const { kyc } = client();
  const approved = await kyc.decide(submission);
  expect(approved).toMatchObject({
    decision: "approved",
    renewal: null,
    record: { documentExpiry: "expired" },
  });
  const renewal = { ...submission, documentNumber: "R7654321" };
  const declined = await kyc.decide(renewal);
  expect(declined).toMatchObject({
    decision: "approved",
    record: approved.record,
    renewal: { decision: "rejected", record: { renews: approved.record.kycRecordId } },
  });

  const expiring = { ...newSubmission("approved"), documentExpiryDate: "2020-05-01" };
  const first = await kyc.decide(expiring);
  expect(await kyc.decide({ ...expiring, documentExpiryDate: "2999-01-31" })).toMatchObject({
    decision: "approved",
    renewal: null,
    record: { renews: first.record.kycRecordId, cardAccountId: first.record.cardAccountId },
  });
});

it("validates a submission before it is sent, and changes an e-mail", async () => {
  const submission = newSubmission();
  const { kyc, users } = client();
  expect(await kyc.validate(submission)).toMatchObject({ valid: true, submission: "new" });
  const { fields } = await kyc.requirements({ documentType: "passport", documentCountry: "SG" });
  const front = { filePurpose: "document_front" };
  expect(fields.find(({ name }) => name === "frontImageUrl")).toMatchObject(front);
  const key = { idempotencyKey: submission.memberId };
  const { externalUserId, kycRecordId } = await kyc.submit(submission, key);
  const other = { ...submission, name: "Other" };
  expect(await kyc.validate(other, key)).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  const email = `new.${submission.email}`;
  expect(await users.changeEmail({ memberId: submission.memberId, email })).toEqual({ externalUserId });
  expect(await kyc.get({ email })).toMatchObject({ kycRecordId });
});

it("throws the errors of the service", async () => {
  const refused = await errorOf(client().kyc.submit(newSubmission("refused+document-unreadable")));
  expect(refused).toMatchObject({
    code: "KYC_REFUSED",
    problem: { kycRecordId: expect.any(String), errors: [{ rule: "DOCUMENT_UNREADABLE" }] },
    requestIds: [expect.stringMatching(/^req_/)],
  });
  const unknown = client(service.url, "cb_test_wrong").cards.list({ memberId: "alice" });
  expect(await errorOf(unknown)).toMatchObject({ code: "UNAUTHENTICATED", retryable: false });
  const both: object = { memberId: "alice", email: "a@example.com" };
  const problem = { errors: [{ rule: "exactly-one-identifier" }] };
  const invalid = await errorOf(client().cards.list(both as { memberId: string }));
  expect(invalid).toMatchObject({ code: "INVALID_INPUT", problem });
});

describe("an upload", () => {
  const sources: Record<string, () => FileSource> = {
    "a Buffer": () => image,
    "part of an array of bytes": () => new Uint8Array([1, ...image, 2]).subarray(1, -1),
    "an ArrayBuffer": () => Uint8Array.from(image).buffer,
    "a Blob": () => new Blob([image]),
    "a File": () => new File([image], 'ü\r\n".jpg'),
    "a stream": () => new Blob([image]).stream(),
    "a stream of Node": () => Readable.from([image.subarray(0, 100), image.subarray(100)]),
  };

  it.each(Object.keys(sources))("accepts %s", async (name) => {
    const file = sources[name]?.() as FileSource;
    const uploaded = await client().files.upload({ purpose: "document_front", file });
    expect(uploaded).toMatchObject({ size: image.length, contentType: "image/jpeg" });
  });

  it("reports its progress", async () => {
    const seen: UploadProgress[] = [];
    const upload = { purpose: "selfie", file: image } as const;
    const uploaded = await client().files.upload(upload, { onProgress: (progress) => seen.push(progress) });
    expect(uploaded.size).toBe(image.length);
    const loaded = seen.map((progress) => progress.loaded);
    expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
    expect(seen.at(-1)).toEqual({ loaded: seen[0]?.total, total: seen[0]?.total });
    expect(seen[0]?.total).toBeGreaterThan(image.length);
    expect(loaded.length).toBe(Math.ceil((seen[0]?.total ?? 0) / 65_536));
  });

  it("throws the error of its stream and sends nothing", async () => {
    const broken = new Error("the disk is unavailable");
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(broken) });
    expect(await errorOf(client().files.upload({ purpose: "selfie", file: stream }))).toBe(broken);
  });

  it.each([{ onProgress() {} }, {}])(
    "sends the whole file again after a failure, with %o",
    async (options) => {
      const lengths: number[] = [];
      const server = createServer(async (request, response) => {
        lengths.push((await buffer(request)).length);
        if (lengths.length === 1) response.writeHead(503).end();
        else response.writeHead(201, { "content-type": "application/json" }).end("{}");
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { files } = createClient({ baseUrl, apiKey: "k", runtime: testRuntime().runtime });
      await files.upload({ purpose: "selfie", file: Readable.from([image]) }, options);
      server.close();
      expect(lengths[0]).toBeGreaterThan(image.length);
      expect(lengths).toEqual([lengths[0], lengths[0]]);
    },
  );
});
