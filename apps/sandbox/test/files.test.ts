import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileTypeOf } from "../src/file-type.ts";
import { bytesOf, serveFiles, submissionFrom } from "./support/files.ts";
import { outcomes, runSandbox } from "./support/sandbox.ts";
import { submission } from "./support/submission.ts";
import { until } from "./support/until.ts";

const good = { "/front": bytesOf.jpeg, "/selfie": bytesOf.png, "/statement": bytesOf.pdf };
const mebibyte = 1024 * 1024;

const noImage = "is no JPEG, PNG, WebP or HEIC image";

/** Silence, as long as the connection lasts. */
const never = () => {};

function seen(field: string, bytes: Buffer, contentType: string) {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { field, status: 200, size: bytes.length, sha256, contentType };
}

const allSeen = [
  seen("document.frontImageUrl", bytesOf.jpeg, "image/jpeg"),
  seen("document.selfieImageUrl", bytesOf.png, "image/png"),
  seen("supportingDocuments[0].fileUrl", bytesOf.pdf, "application/pdf"),
];

/** A server of files, and a sandbox that fetches from it. */
async function stage(answers: Parameters<typeof serveFiles>[0] = {}) {
  const files = await serveFiles({ ...good, ...answers });
  const sandbox = await runSandbox({ fetchUnder: [files.url] });
  return { files, sandbox, content: submissionFrom(files.url) };
}

describe("which files are fetched", () => {
  test("those under the addresses that were told, once each, and the ledger shows them", async () => {
    const { files, sandbox, content } = await stage();
    const elsewhere = await serveFiles();
    const mixed = {
      ...content,
      document: { ...content.document, backImageUrl: `${elsewhere.url}/back` },
    };
    expect((await sandbox.submit("kyc_1", mixed)).status).toBe(200);
    expect((await sandbox.submit("kyc_1", mixed)).status).toBe(200);
    expect((await sandbox.ledger()).executions).toMatchObject([{ reference: "kyc_1", files: allSeen }]);
    expect(files.asked.toSorted()).toEqual(
      ["/front", "/selfie", "/statement"].map((path) => `${path}?expires=1&signature=one`),
    );
    expect(elsewhere.asked).toEqual([]);
  });

  test("an address is an origin and whole segments of a path", async () => {
    const files = await serveFiles({ "/files/front": bytesOf.jpeg });
    const sandbox = await runSandbox({ fetchUnder: ["https://example.com", `${files.url}/files`] });
    const { document, ...rest } = submission();
    const content = {
      ...rest,
      document: {
        ...document,
        frontImageUrl: `${files.url}/files/front`,
        backImageUrl: `${files.url}/files-of-others/back`,
        selfieImageUrl: `${files.url.replace("http:", "https:")}/files/selfie`,
      },
    };
    expect((await sandbox.submit("kyc_1", content)).status).toBe(200);
    expect(files.asked).toEqual(["/files/front"]);
  });

  test("an address that is no URL is an error", async () => {
    await expect(runSandbox({ fetchUnder: ["the gateway"] })).rejects.toThrow(/Invalid URL/);
  });

  test.each([
    ["fetch", "pending_approval"],
    ["FETCH", "pending_approval"],
    ["fetch+approved", "approved"],
    ["approved+fetch", "approved"],
  ])("all of them under the tag %s, and it becomes %s", async (tag, status) => {
    const files = await serveFiles(good);
    const sandbox = await runSandbox();
    expect((await sandbox.submit("kyc_1", submissionFrom(files.url, tag))).body).toMatchObject({ status });
    expect((await sandbox.ledger()).executions).toMatchObject([{ files: allSeen }]);
  });

  test("none of a PUT that executes nothing", async () => {
    const { files, sandbox } = await stage();
    await sandbox.submit("kyc_1", submissionFrom(files.url, "refused"));
    await sandbox.submit("kyc_2", submissionFrom(files.url, "error-500"));
    expect(files.asked).toEqual([]);
    expect((await sandbox.submit("kyc_2", submissionFrom(files.url, "error-500"))).status).toBe(200);
    expect(files.asked).toHaveLength(3);
  });

  test("a first PUT that is spoiled after its effect saw them all the same", async () => {
    const { files, sandbox } = await stage();
    await sandbox.submit("kyc_1", submissionFrom(files.url, "garbage"));
    expect(await outcomes(sandbox, "kyc_1")).toEqual(["garbage"]);
    expect((await sandbox.ledger()).executions).toMatchObject([{ files: allSeen }]);
  });
});

describe("what is wrong with a file", () => {
  test.each(["jpeg", "png", "webp", "heic"] as const)("nothing, when it is a %s", async (type) => {
    const { sandbox, content } = await stage({
      "/front": bytesOf[type],
      "/selfie": bytesOf[type],
      "/statement": bytesOf[type],
    });
    expect((await sandbox.submit("kyc_1", content)).status).toBe(200);
    const { executions } = await sandbox.ledger();
    expect(executions[0].files[0]).toMatchObject({ contentType: `image/${type}` });
  });

  test.each([
    ["no such file", undefined, "answered 404 instead of 200"],
    ["a redirect", "redirect", "answered 302 instead of 200"],
    ["a page", bytesOf.html, noImage],
    ["nothing", bytesOf.nothing, noImage],
    ["a PDF in an image's place", bytesOf.pdf, noImage],
    [
      "15 MB and a byte",
      Buffer.concat([bytesOf.jpeg, Buffer.alloc(15 * mebibyte - 11)]),
      "is larger than 15 MB",
    ],
    ["a connection that breaks", "broken", "could not be fetched"],
  ] as const)("%s is refused", async (_what, front, fault) => {
    const answer = {
      redirect: (response) => response.writeHead(302, { location: "/selfie" }).end(),
      broken: (response) => response.writeHead(200).write(bytesOf.jpeg, () => response.destroy()),
    } satisfies Parameters<typeof serveFiles>[0];
    const { sandbox, content } = await stage({
      "/front": typeof front === "string" ? answer[front] : front,
    });
    expect(await sandbox.submit("kyc_1", content)).toMatchObject({
      status: 422,
      body: {
        reference: "kyc_1",
        userReference: "usr_1",
        error: { code: "kyc_refused", message: `document.frontImageUrl ${fault}.` },
      },
    });
  });

  test.each(["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"])("%s is a HEIC", (brand) => {
    expect(fileTypeOf(Buffer.from(`\0\0\0\x18ftyp${brand}`))).toBe("image/heic");
  });

  test("nothing, when it has 15 MB", async () => {
    const { sandbox, content } = await stage({
      "/front": Buffer.concat([bytesOf.jpeg, Buffer.alloc(15 * mebibyte - 12)]),
    });
    expect((await sandbox.submit("kyc_1", content)).status).toBe(200);
  });

  test("a page is no supporting document, and every fault is named", async () => {
    const { sandbox, content } = await stage({ "/selfie": undefined, "/statement": bytesOf.html });
    expect((await sandbox.submit("kyc_1", content)).body.error.message).toBe(
      `document.selfieImageUrl answered 404 instead of 200. supportingDocuments[0].fileUrl ${noImage} and no PDF.`,
    );
  });

  test("silence for 5 s, before the answer or in the middle of it", async () => {
    const { files, sandbox, content } = await stage({
      "/front": never,
      "/selfie": (response) => void response.writeHead(200).write(bytesOf.png),
    });
    const answer = sandbox.submit("kyc_1", content);
    await until(() => files.asked.length === 3 && sandbox.clock.waiting() === 2);
    sandbox.clock.advance(4_999);
    expect(sandbox.clock.waiting()).toBe(2);
    sandbox.clock.advance(1);
    expect((await answer).body.error.message).toBe(
      "document.frontImageUrl took longer than 5 s. document.selfieImageUrl took longer than 5 s.",
    );
  });

  test("nobody is there, and the sandbox goes on", async () => {
    const { files, sandbox, content } = await stage();
    await files.close();
    const refused = await sandbox.submit("kyc_1", content);
    expect(refused.status).toBe(422);
    expect(refused.body.error.message).toMatch(/^document\.frontImageUrl could not be fetched\. /);
    expect((await sandbox.submit("kyc_2", submission())).status).toBe(200);
  });

  test("it lies under no http or https URL", async () => {
    const sandbox = await runSandbox();
    const content = submission("fetch");
    const data = `data:image/jpeg;base64,${bytesOf.jpeg.toString("base64")}`;
    const document = { ...content.document, frontImageUrl: data, selfieImageUrl: data };
    const answer = await sandbox.submit("kyc_1", { ...content, document, supportingDocuments: [] });
    expect(answer.body.error.message).toMatch(/^document\.frontImageUrl is no http or https URL\./);
  });
});

describe("a refusal for a file", () => {
  test("executes nothing, is repeated without fetching, and outlives a restart", async () => {
    const { files, sandbox, content } = await stage({ "/front": undefined });
    const first = await sandbox.submit("kyc_1", content);
    files.answers["/front"] = bytesOf.jpeg;
    expect(await sandbox.submit("kyc_1", content)).toEqual(first);
    expect(await sandbox.ask("kyc_1")).toEqual(first);
    const { executions, refusals } = await sandbox.ledger();
    expect(executions).toEqual([]);
    expect(refusals).toEqual([
      {
        reference: "kyc_1",
        userReference: "usr_1",
        refusedAt: "2026-01-31T12:00:00.000Z",
        message: "document.frontImageUrl answered 404 instead of 200.",
        request: content,
        files: [
          { field: "document.frontImageUrl", status: 404, fault: "answered 404 instead of 200" },
          ...allSeen.slice(1),
        ],
      },
    ]);
    await sandbox.close();

    const after = await runSandbox({ dataFolder: sandbox.dataFolder, fetchUnder: [files.url] });
    expect(await after.submit("kyc_1", content)).toEqual(first);
    expect((await after.ledger()).refusals).toEqual(refusals);
    expect(await outcomes(after, "kyc_1")).toEqual(["refused", "refused", "refused"]);
    expect(files.asked).toHaveLength(3);
  });
});

describe("while files are fetched", () => {
  /** A file that comes when the test says so. */
  function held() {
    const waiting: (() => void)[] = [];
    return {
      answer: (response: ServerResponse) => void waiting.push(() => response.end(bytesOf.jpeg)),
      waiting,
      release: () => {
        for (const send of waiting.splice(0)) send();
      },
    };
  }

  test("a second PUT waits and executes nothing, other content conflicts, and a GET waits too", async () => {
    const front = held();
    const { files, sandbox, content } = await stage({ "/front": front.answer });
    const first = sandbox.submit("kyc_1", content);
    await until(() => front.waiting.length === 1);
    const others = [
      sandbox.submit("kyc_1", content),
      sandbox.submit("kyc_1", { ...content, userReference: "usr_2" }),
      sandbox.ask("kyc_1"),
    ];
    // One of another reference is not held up, so the ones above have come by then.
    expect((await sandbox.submit("kyc_2", submission())).status).toBe(200);
    front.release();
    expect((await first).status).toBe(200);
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 409, 200]);
    expect((await outcomes(sandbox, "kyc_1")).toSorted()).toEqual(["conflict", "executed", "repeated"]);
    expect(files.asked).toHaveLength(3);
  });

  test("a client that leaves changes nothing", async () => {
    const front = held();
    const { sandbox, content } = await stage({ "/front": front.answer });
    const client = new AbortController();
    const gone = sandbox.submit("kyc_1", content, client.signal).catch(() => "gone");
    await until(() => front.waiting.length === 1);
    client.abort();
    expect(await gone).toBe("gone");
    front.release();
    expect((await sandbox.ask("kyc_1")).body).toMatchObject({ status: "pending_approval" });
  });

  test("closing ends, and leaves nothing behind, whatever waited", async () => {
    const { files, sandbox, content } = await stage({ "/front": never });
    const submit = (one: object) => sandbox.submit("kyc_1", one).catch(() => "cut");
    const first = submit(content);
    await until(() => files.asked.length === 3);
    const others = [submit(submission("refused")), submit(content)];
    expect((await sandbox.submit("kyc_2", submission())).status).toBe(200);
    await sandbox.close();
    expect(await Promise.all([first, ...others])).toEqual(["cut", "cut", "cut"]);
    expect(sandbox.clock.waiting()).toBe(0);

    const journal = await readFile(join(sandbox.dataFolder, "journal.jsonl"), "utf8");
    expect(journal.trimEnd().split("\n")).toEqual([expect.stringContaining("kyc_2")]);
  });
});
