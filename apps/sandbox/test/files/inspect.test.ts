import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { bytesOf, serveFiles, submissionFrom } from "../support/files.ts";
import { outcomes, runSandbox, until } from "../support/sandbox.ts";
import { submission } from "../support/submission.ts";

const validFiles = { "/front": bytesOf.jpeg, "/selfie": bytesOf.png, "/statement": bytesOf.pdf };
const mebibyte = 1024 * 1024;

const noImage = "is not a JPEG, PNG, WebP or HEIC image";

/** Never responds. */
const never = () => {};

function inspected(field: string, bytes: Buffer, contentType: string) {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { field, status: 200, size: bytes.length, sha256, contentType };
}

const allInspected = [
  inspected("document.frontImageUrl", bytesOf.jpeg, "image/jpeg"),
  inspected("document.selfieImageUrl", bytesOf.png, "image/png"),
  inspected("supportingDocuments[0].fileUrl", bytesOf.pdf, "application/pdf"),
];

/** Starts a server of files and a sandbox that fetches from it. */
async function setUp(responses: Parameters<typeof serveFiles>[0] = {}) {
  const files = await serveFiles({ ...validFiles, ...responses });
  const sandbox = await runSandbox({ fetchUnder: [files.url] });
  return { files, sandbox, content: submissionFrom(files.url) };
}

describe("the fetched files", () => {
  test("are those under the URL prefixes, once each, and the ledger shows them", async () => {
    const { files, sandbox, content } = await setUp();
    const elsewhere = await serveFiles();
    const document = { ...content.document, backImageUrl: `${elsewhere.url}/back` };
    for (let time = 1; time <= 2; time += 1)
      expect((await sandbox.submit("kyc_1", { ...content, document })).status).toBe(200);
    expect((await sandbox.ledger()).executions).toMatchObject([{ reference: "kyc_1", files: allInspected }]);
    expect(files.requests.toSorted()).toEqual(
      ["/front", "/selfie", "/statement"].map((path) => `${path}?expires=1&signature=one`),
    );
    expect(elsewhere.requests).toEqual([]);
  });

  test("have the origin of a prefix and all segments of its path", async () => {
    const files = await serveFiles({ "/files/front": bytesOf.jpeg });
    const sandbox = await runSandbox({ fetchUnder: ["https://example.com", `${files.url}/files`] });
    const document = {
      ...submission().document,
      frontImageUrl: `${files.url}/files/front`,
      backImageUrl: `${files.url}/files-of-others/back`,
      selfieImageUrl: `${files.url.replace("http:", "https:")}/files/selfie`,
    };
    expect((await sandbox.submit("kyc_1", { ...submission(), document })).status).toBe(200);
    expect(files.requests).toEqual(["/files/front"]);
  });

  test.each([
    ["FETCH", "pending_approval"],
    ["fetch+approved", "approved"],
    ["approved+fetch", "approved"],
  ])("are all files under the tag %s, and the status is %s", async (tag, status) => {
    const files = await serveFiles(validFiles);
    const sandbox = await runSandbox();
    expect((await sandbox.submit("kyc_1", submissionFrom(files.url, tag))).body).toMatchObject({ status });
    expect((await sandbox.ledger()).executions).toMatchObject([{ files: allInspected }]);
  });

  test("are those of a PUT that executes", async () => {
    const { files, sandbox } = await setUp();
    await sandbox.submit("kyc_1", submissionFrom(files.url, "refused"));
    await sandbox.submit("kyc_2", submissionFrom(files.url, "error-500"));
    expect(files.requests).toEqual([]);
    await sandbox.submit("kyc_2", submissionFrom(files.url, "error-500"));
    await sandbox.submit("kyc_3", submissionFrom(files.url, "garbage"));
    expect((await sandbox.ledger()).executions).toMatchObject([
      { reference: "kyc_2", files: allInspected },
      { reference: "kyc_3", files: allInspected },
    ]);
  });
});

describe("a submission", () => {
  test.each(["jpeg", "png", "webp", "heic"] as const)("is accepted with a %s of 15 MB", async (type) => {
    const bytes = Buffer.concat([bytesOf[type], Buffer.alloc(15 * mebibyte - bytesOf[type].length)]);
    const { sandbox, content } = await setUp({ "/front": bytes, "/statement": bytes });
    expect((await sandbox.submit("kyc_1", content)).status).toBe(200);
    const { executions } = await sandbox.ledger();
    expect(executions[0].files[0]).toMatchObject({ contentType: `image/${type}` });
  });

  const large = Buffer.concat([bytesOf.jpeg, Buffer.alloc(15 * mebibyte - 11)]);
  const redirect = (response: ServerResponse) => response.writeHead(302, { location: "/selfie" }).end();
  const broken = (response: ServerResponse) =>
    response.writeHead(200).write(bytesOf.jpeg, () => response.destroy());
  test.each([
    ["a missing file", undefined, "returned 404 instead of 200"],
    ["a redirect", redirect, "returned 302 instead of 200"],
    ["an HTML page", bytesOf.html, noImage],
    ["an empty file", bytesOf.nothing, noImage],
    ["a PDF in an image field", bytesOf.pdf, noImage],
    ["a file of 15 MB and one byte", large, "is larger than 15 MB"],
    ["a connection that breaks", broken, "could not be fetched"],
  ])("is refused for %s", async (_what, front, fault) => {
    const { sandbox, content } = await setUp({ "/front": front });
    const error = { code: "kyc_refused", message: `document.frontImageUrl ${fault}.` };
    const body = { reference: "kyc_1", userReference: "usr_1", error };
    expect(await sandbox.submit("kyc_1", content)).toMatchObject({ status: 422, body });
  });

  test("is refused with all faults in its message, such as an HTML page as a supporting document", async () => {
    const { sandbox, content } = await setUp({ "/selfie": undefined, "/statement": bytesOf.html });
    const { body } = await sandbox.submit("kyc_1", content);
    const [selfie, statement] = ["document.selfieImageUrl", "supportingDocuments[0].fileUrl"];
    const faults = `${selfie} returned 404 instead of 200. ${statement} ${noImage} or a PDF.`;
    expect(body.error.message).toBe(faults);
    expect(body.reasons).toEqual([
      { code: "file_unreachable", field: selfie },
      { code: "file_type_unsupported", field: statement },
    ]);
  });

  test("is refused when a file takes longer than 5 s before or during its response", async () => {
    const { files, sandbox, content } = await setUp({
      "/front": never,
      "/selfie": (response) => void response.writeHead(200).write(bytesOf.png),
    });
    const response = sandbox.submit("kyc_1", content);
    await until(() => files.requests.length === 3 && sandbox.clock.timerCount() === 2);
    sandbox.clock.advance(4_999);
    expect(sandbox.clock.timerCount()).toBe(2);
    sandbox.clock.advance(1);
    expect((await response).body.error.message).toBe(
      "document.frontImageUrl took longer than 5 s. document.selfieImageUrl took longer than 5 s.",
    );
  });

  test("is refused for a URL that is not http or https", async () => {
    const sandbox = await runSandbox();
    const content = submission("fetch");
    const data = `data:image/jpeg;base64,${bytesOf.jpeg.toString("base64")}`;
    const document = { ...content.document, frontImageUrl: data, selfieImageUrl: data };
    const response = await sandbox.submit("kyc_1", { ...content, document, supportingDocuments: [] });
    expect(response.body.error.message).toMatch(/^document\.frontImageUrl is not an http or https URL\./);
  });
});

describe("a refusal because of a file", () => {
  test("executes nothing, is repeated without fetching, and survives a restart", async () => {
    const { files, sandbox, content } = await setUp({ "/front": undefined });
    const first = await sandbox.submit("kyc_1", content);
    files.responses["/front"] = bytesOf.jpeg;
    expect(await sandbox.submit("kyc_1", content)).toEqual(first);
    expect(await sandbox.get("kyc_1")).toEqual(first);
    const { executions, refusals } = await sandbox.ledger();
    expect(executions).toEqual([]);
    expect(refusals).toEqual([
      {
        reference: "kyc_1",
        userReference: "usr_1",
        refusedAt: "2026-01-31T12:00:00.000Z",
        message: "document.frontImageUrl returned 404 instead of 200.",
        reasons: [{ code: "file_unreachable", field: "document.frontImageUrl" }],
        request: content,
        files: [
          { field: "document.frontImageUrl", status: 404, fault: "returned 404 instead of 200" },
          ...allInspected.slice(1),
        ],
      },
    ]);
    await sandbox.close();

    const after = await runSandbox({ dataFolder: sandbox.dataFolder, fetchUnder: [files.url] });
    expect(await after.submit("kyc_1", content)).toEqual(first);
    expect((await after.ledger()).refusals).toEqual(refusals);
    expect(await outcomes(after, "kyc_1")).toEqual(["refused", "refused", "refused"]);
    expect(files.requests).toHaveLength(3);
  });
});

describe("while the sandbox fetches files", () => {
  test("a second PUT and a GET wait, and other content is a conflict", async () => {
    const front = Promise.withResolvers<ServerResponse>();
    const { files, sandbox, content } = await setUp({ "/front": front.resolve });
    const first = sandbox.submit("kyc_1", content);
    const waiting = await front.promise;
    const others = [
      sandbox.submit("kyc_1", content),
      sandbox.submit("kyc_1", { ...content, userReference: "usr_2" }),
      sandbox.get("kyc_1"),
    ];
    // A PUT of another reference does not wait. After its response the requests above have arrived.
    expect((await sandbox.submit("kyc_2", submission())).status).toBe(200);
    waiting.end(bytesOf.jpeg);
    expect((await first).status).toBe(200);
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 409, 200]);
    expect((await outcomes(sandbox, "kyc_1")).toSorted()).toEqual(["conflict", "executed", "repeated"]);
    expect(files.requests).toHaveLength(3);
  });

  test("close aborts all waiting requests and leaves no entry", async () => {
    const { files, sandbox, content } = await setUp({ "/front": never });
    const submit = (body: object) => sandbox.submit("kyc_1", body).catch(() => "closed");
    const first = submit(content);
    await until(() => files.requests.length === 3);
    const others = [submit(submission("refused")), submit(content)];
    expect((await sandbox.submit("kyc_2", submission())).status).toBe(200);
    await sandbox.close();
    expect(await Promise.all([first, ...others])).toEqual(["closed", "closed", "closed"]);
    expect(sandbox.clock.timerCount()).toBe(0);

    expect((await sandbox.journal()).trimEnd().split("\n")).toEqual([expect.stringContaining("kyc_2")]);
  });
});
