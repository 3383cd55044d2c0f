import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../../src/admission/api-key.ts";
import { restList, restSubmit, trpcSubmit } from "../../support/call.ts";
import { makeInternalKey } from "../../support/keys.ts";
import { converse } from "../../support/raw-http.ts";
import { sampleImage, samplePdf } from "../../support/samples.ts";
import { newSubmission, startTestService } from "../../support/test-service.ts";
import { trpcClient } from "../../support/trpc.ts";

/** Uploads and their use, with real components: the provider fetches the files of a submission. */
let service: Awaited<ReturnType<typeof startTestService>>;
let admin: Client;
beforeAll(async () => {
  service = await startTestService({ env: { RUN: "all" } });
  admin = new Client({ connectionString: service.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await service.stop();
});

interface Uploaded {
  fileId: string;
  url: string;
  contentType: string;
  size: number;
  sha256: string;
  expiresAt: string;
}

async function upload(bytes: Buffer, purpose: string, key = demoKeys.first) {
  const form = new FormData();
  form.set("purpose", purpose);
  form.set("file", new File([new Uint8Array(bytes)], "../../etc/passwd.jpg"));
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${service.url}/openapi/v1/files`, { method: "POST", headers, body: form });
  return { status: response.status, body: (await response.json()) as Uploaded & { errors: unknown[] } };
}
const uploaded = async (...args: Parameters<typeof upload>) => (await upload(...args)).body;

async function open(url: string, key: string | undefined = demoKeys.first) {
  const response = await fetch(url, key === "" ? {} : { headers: { authorization: `Bearer ${key}` } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}
const without = (body: { requestId?: string }) => ({ ...body, requestId: "" });

/** Small images, for tests whose subject is not their content. */
const imageOf = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .jpeg()
    .toBuffer();
const [image, otherImage] = await Promise.all([imageOf("white"), imageOf("red")]);

async function files() {
  return {
    frontImageUrl: (await uploaded(image, "document_front")).url,
    selfieImageUrl: (await uploaded(image, "selfie")).url,
  };
}
const rulesOf = ({ body }: { body: unknown }) =>
  (body as { errors: { path: string; rule: string }[] }).errors.map(({ path, rule }) => [path, rule]);

describe("an upload", () => {
  it("returns the file's facts, and can be read with a key", async () => {
    const { status, body } = await upload(sampleImage, "document_front");
    expect(status).toBe(201);
    expect(body).toEqual({
      fileId: expect.stringMatching(/^file_[0-9a-z]{26}$/),
      url: `${service.url}/files/${body.fileId}`,
      purpose: "document_front",
      contentType: "image/jpeg",
      size: sampleImage.length,
      sha256: createHash("sha256").update(sampleImage).digest("hex"),
      expiresAt: expect.stringMatching(/Z$/),
    });
    const { headers, bytes, ...opened } = await open(body.url);
    expect(opened.status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/jpeg",
      "content-disposition": "attachment",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "no-store",
    });
    expect((await sharp(bytes).metadata()).format).toBe("jpeg");
  });

  it.each([
    ["SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")],
    ["a PDF for a selfie", samplePdf],
  ])("of %s is refused by its content, and nothing is stored", async (_name, bytes) => {
    const before = await readdir(join(service.filesFolder));
    const { status, body } = await upload(bytes, "selfie");
    expect([status, rulesOf({ body })]).toEqual([400, [["/file", expect.stringMatching(/^file-/)]]]);
    expect(await readdir(join(service.filesFolder))).toEqual(before);
  });

  it("is encrypted: the folder contains none of its content", async () => {
    const [pdf, front] = [
      await uploaded(samplePdf, "supporting_document"),
      await uploaded(sampleImage, "document_front"),
    ];
    expect(pdf.contentType).toBe("application/pdf");
    // Sixteen bytes in a row. Shorter sequences occur by chance in encrypted data.
    const marks = [];
    for (const { url } of [pdf, front]) {
      const { bytes } = await open(url);
      for (const at of [0, bytes.length / 2, bytes.length - 16])
        marks.push(bytes.subarray(at).subarray(0, 16));
    }
    expect(marks.map(({ length }) => length)).toEqual(Array(6).fill(16));
    const names = (await readdir(service.filesFolder, { withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    expect(names.length).toBeGreaterThan(0);
    for (const { name } of names) {
      expect(name).toMatch(/^[0-9a-f]{40}$/);
      const kept = await readFile(join(service.filesFolder, name));
      for (const mark of marks) expect(kept.includes(mark)).toBe(false);
    }
  });
});

describe("a file's URL", () => {
  it("opens only for its own platform; for others the file does not exist", async () => {
    const { url } = await uploaded(image, "selfie");
    const nowhere = `${url.slice(0, -4)}0000`;
    expect((await open(url)).status).toBe(200);
    expect((await open(url, "")).status).toBe(401);
    const [foreign, none] = [await open(url, demoKeys.second), await open(nowhere, demoKeys.second)];
    expect([foreign.status, none.status]).toEqual([404, 404]);
    expect(without(JSON.parse(foreign.bytes.toString()))).toEqual(without(JSON.parse(none.bytes.toString())));
  });
});

describe("an upload URL", () => {
  /** A URL that a key of an internal app created for the first platform. */
  async function aUrl() {
    const client = trpcClient({
      url: service.url,
      apiKey: await makeInternalKey(service.adminUrl, ["files:write"]),
      platform: "plt_demo_one",
    });
    return (await client.files.createUploadUrl.mutate({ purpose: "selfie" })).uploadUrl;
  }
  async function put(url: string, bytes: Buffer, headers: Record<string, string> = {}) {
    const response = await fetch(url, { method: "PUT", headers, body: new Uint8Array(bytes) });
    const body = (await response.json()) as Uploaded & { code: string };
    return { status: response.status, replayed: response.headers.get("idempotent-replayed"), body };
  }

  it("accepts one file: the same bytes repeat the first response, and other bytes are refused", async () => {
    const url = await aUrl();
    const first = await put(url, image);
    expect(first).toMatchObject({ status: 201, replayed: null });
    expect(await put(url, image)).toEqual({ ...first, replayed: "true" });
    expect(await put(url, otherImage)).toMatchObject({ status: 409, body: { code: "UPLOAD_URL_USED" } });
    expect(await put(url, image)).toEqual({ ...first, replayed: "true" });
    const { rows } = await admin.query(
      "select outcome from audit_entries where operation = 'files.uploadToUrl' and subject = $1 order by id",
      [first.body.fileId],
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual(["done", "replayed", "replayed"]);
  });

  it("stores one file for concurrent uploads", async () => {
    const url = await aUrl();
    const answers = await Promise.all(Array.from({ length: 4 }, () => put(url, image)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.fileId)).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
  });

  it("accepts the bytes of a file without a key, as long as the key that created it is valid", async () => {
    const url = await aUrl();
    const form = await put(url, image, { "content-type": "multipart/form-data; boundary=x" });
    expect(form.status).toBe(415);
    for (const wrong of [`${url}x`, url.slice(0, -1), url.replace(/[^/]+$/, "AAAA")])
      expect((await put(wrong, image)).status).toBe(401);
    const { body } = await put(url, image, { "content-type": "image/jpeg" });
    expect((await open(body.url)).status).toBe(200);
    await admin.query("update api_keys set revoked_at = now() where platform_id = 'internal'");
    expect((await put(url, image)).status).toBe(401);
  });

  it("can be used after an upload that was refused or interrupted", async () => {
    const url = await aUrl();
    expect((await put(url, Buffer.from("<svg/>"))).status).toBe(400);
    const { pathname, host } = new URL(url);
    const head = `PUT ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${image.length}\r\n\r\n`;
    await converse(url, async (socket) => {
      await new Promise((resolve) =>
        socket.write(Buffer.concat([Buffer.from(head), image.subarray(0, 9)]), resolve),
      );
      socket.destroy();
    });
    expect(await put(url, otherImage)).toMatchObject({ status: 201, replayed: null });
  });
});

it("a submission lets the provider fetch the images, which is audited, approve, and issue a card", async () => {
  const images = await files();
  await open(images.frontImageUrl);
  const document = await uploaded(samplePdf, "supporting_document");
  const supportingDocuments = [{ documentType: "ADDRESS_PROOF" as const, fileUrl: document.url }];
  const submission = { ...newSubmission("approved"), ...images, supportingDocuments };
  const { status, body } = await restSubmit(service.caller(), submission);
  expect([status, body]).toEqual([200, expect.objectContaining({ code: "KYC_SUBMITTED" })]);
  const { kycRecordId } = body as { kycRecordId: string };
  const { executions } = await service.ledger();
  const execution = executions.find(({ reference }) => reference === kycRecordId);
  expect(execution?.files).toMatchObject([
    { field: "document.frontImageUrl", status: 200, contentType: "image/jpeg" },
    { field: "document.selfieImageUrl", status: 200, contentType: "image/jpeg" },
    { field: "supportingDocuments[0].fileUrl", status: 200, contentType: "application/pdf" },
  ]);
  const { rows } = await admin.query(
    "select actor, outcome from audit_entries where operation = 'files.read' and subject = $1 order by id",
    [images.frontImageUrl.split("/").at(-1)],
  );
  expect(rows).toEqual([
    { actor: "key_plt_demo_one", outcome: "done" },
    { actor: "provider", outcome: "done" },
  ]);
  const again = await trpcSubmit(service.caller(), submission);
  expect([again.status, again.body]).toMatchObject([200, { kycRecordId }]);
  const { memberId } = submission;
  expect(await restList(service.caller(), { memberId })).toMatchObject({ body: { total: 1 } });
  // The file is in use now: it stays, and another user may not use it, but may use an upload of the same bytes.
  expect((await open(images.selfieImageUrl)).status).toBe(200);
  const other = newSubmission("approved");
  expect((await restSubmit(service.caller(), { ...other, ...images })).status).toBe(400);
  expect((await restSubmit(service.caller(), { ...other, ...(await files()) })).status).toBe(200);
});

describe("a submission with files that its user may not use", () => {
  it("is refused with a violation for each file, and nothing reaches the provider", async () => {
    const images = await files();
    const foreign = await uploaded(image, "selfie", demoKeys.second);
    const cases = [
      [{ ...images, selfieImageUrl: foreign.url }, [["/selfieImageUrl", "file-unknown"]]],
      [{ ...images, selfieImageUrl: images.frontImageUrl }, [["/selfieImageUrl", "file-purpose"]]],
      [{ ...images, selfieImageUrl: `${images.selfieImageUrl}?x=1` }, [["/selfieImageUrl", "file-unknown"]]],
      [{ ...images, selfieImageUrl: `${service.url}/docs` }, [["/selfieImageUrl", "file-unknown"]]],
      [
        {
          frontImageUrl: `${service.url}/files/x`,
          selfieImageUrl: `${service.url}/files/file_${"0".repeat(26)}/`,
        },
        [
          ["/frontImageUrl", "file-unknown"],
          ["/selfieImageUrl", "file-unknown"],
        ],
      ],
    ] as const;
    const before = (await service.ledger()).attempts.length;
    for (const [urls, rules] of cases) {
      const answer = await restSubmit(service.caller(), { ...newSubmission(), ...urls });
      expect([answer.status, rulesOf(answer)]).toEqual([400, rules]);
    }
    expect((await service.ledger()).attempts.length).toBe(before);
  });
});
