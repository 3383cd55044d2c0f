import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eraseDueUsers } from "@cardbridge/service";
import { openDatabase } from "@cardbridge/service/database";
import { Decrypter, generateIdentity, identityToRecipient } from "age-encryption";
import { unpackTar } from "modern-tar";
import { Client } from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../src/admission/api-key.ts";
import { openBlobs } from "../../src/boot/files.ts";
import { encryptionKeys } from "../../src/boot/options.ts";
import { readEnv } from "../../src/config/env.ts";
import { restSubmit } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { samplePdf } from "../support/samples.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** The command line exports users of a real service: a real database, real files, real encryption. */
let world: Awaited<ReturnType<typeof startTestService>>;
let admin: Client;
let folder: string;
const identity = await generateIdentity();
const recipient = await identityToRecipient(identity);
/** Everything that was printed or logged. */
const printed: string[] = [];

beforeAll(async () => {
  world = await startTestService({ env: { FOUR_EYES: "off" } });
  admin = new Client({ connectionString: world.adminUrl });
  await admin.connect();
  folder = await mkdtemp(join(tmpdir(), "cardbridge-export-"));
});
afterAll(async () => {
  await admin.end();
  await world.stop();
  await rm(folder, { recursive: true });
});

const platform = ["--platform", "plt_demo_one"];
const newOutput = () => join(folder, `${randomBytes(6).toString("hex")}.age`);

async function exportTo(output: string, ...args: string[]) {
  const result = await runCommand(
    ["--by", "ada", "users", "export", ...platform, "--recipient", recipient, "--output", output, ...args],
    world.env,
  );
  printed.push(result.stdout, result.stderr);
  return result;
}

/** How often an export was audited, and the newest entry. */
async function auditedExports() {
  const { stdout } = await runCommand(
    ["audit", "list", "plt_demo_one", "--limit", "999", "--json"],
    world.env,
  );
  const { entries } = JSON.parse(stdout) as { entries: Record<string, string | null>[] };
  const exports = entries.filter(({ operation }) => operation === "users.export");
  return { count: exports.length, newest: exports[0] };
}

async function upload(bytes: Buffer, purpose: string, key: string = demoKeys.first) {
  const form = new FormData();
  form.set("purpose", purpose);
  form.set("file", new File([new Uint8Array(bytes)], "upload"));
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${world.url}/openapi/v1/files`, { method: "POST", headers, body: form });
  return (await response.json()) as { fileId: string; url: string };
}
async function call(path: string, body?: object) {
  const response = await fetch(`${world.url}/openapi/v1${path}`, {
    headers: { authorization: `Bearer ${demoKeys.first}`, "content-type": "application/json" },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  return (await response.json()) as { requests: { documentRequestId: string }[] };
}
const read = async (url: string, key: string = demoKeys.first) =>
  Buffer.from(await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).arrayBuffer());
const imageOf = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();

/** A user with one record. */
async function aUser(changes: object = {}, key: string = demoKeys.first) {
  const submission = { ...newSubmission(), ...changes };
  const { body, status } = await restSubmit(world.caller(key), submission);
  expect(status).toBe(200);
  return { submission, ...(body as { externalUserId: string; kycRecordId: string }) };
}

/** A user with two uploaded images, an uploaded PDF, and one record. */
async function aUserWithFiles(changes: object = {}, key: string = demoKeys.first) {
  const front = await upload(await imageOf("white"), "document_front", key);
  const selfie = await upload(await imageOf("red"), "selfie", key);
  const bill = await upload(samplePdf, "supporting_document", key);
  const files = {
    frontImageUrl: front.url,
    selfieImageUrl: selfie.url,
    supportingDocuments: [{ documentType: "UTILITY_BILL", fileUrl: bill.url }],
  };
  return { ...(await aUser({ ...files, ...changes }, key)), front, selfie, bill };
}

/** Erases the users whose erasure is requested, as a worker does. */
async function eraseDue(): Promise<void> {
  const env = readEnv(world.env);
  const database = openDatabase({ url: world.serviceUrl, onError: () => {} });
  const blobs = await openBlobs(env);
  await eraseDueUsers({ database, keySet: encryptionKeys(env), blobs }, 10);
  await database.close();
}

/** The files of an encrypted archive, by their names. */
async function decrypted(output: string): Promise<Map<string, Buffer>> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const entries = await unpackTar(await decrypter.decrypt(await readFile(output)));
  return new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? [])]));
}
const jsonIn = (files: Map<string, Buffer>, name: string) => JSON.parse(String(files.get(name)));

describe("cardbridge users export", () => {
  it("writes what is kept about a user into one encrypted archive", async () => {
    const { submission, externalUserId, kycRecordId, front, selfie, bill } = await aUserWithFiles();
    const { memberId, email } = submission;
    // They read what is kept: the result by a platform, a file, and the user's state by an operator.
    const authorization = `Bearer ${demoKeys.first}`;
    await fetch(`${world.url}/openapi/v1/users/kyc?memberId=${memberId}`, { headers: { authorization } });
    const frontImage = await read(front.url);
    const storedFiles = new Map([
      [`files/${front.fileId}.png`, frontImage],
      [`files/${selfie.fileId}.png`, await read(selfie.url)],
      [`files/${bill.fileId}.pdf`, await read(bill.url)],
    ]);
    await runCommand(["--by", "grace", "users", "show", ...platform, externalUserId], world.env);
    const note = ["--by", "grace", "records", "add-note", kycRecordId];
    await runCommand([...note, "Sends a sharper image."], world.env);
    await runCommand([...note, "On a watch list.", "--restricted", "true"], world.env);

    const output = newOutput();
    expect(await exportTo(output, "--member-id", memberId)).toEqual({
      code: 0,
      stdout: `The export of ${externalUserId} is complete.\n`,
      stderr: "",
    });
    expect((await stat(output)).mode & 0o777).toBe(0o600);

    const files = await decrypted(output);
    expect([...files.keys()]).toEqual([
      "README.txt",
      "person.json",
      `records/${kycRecordId}.json`,
      ...[front, selfie].map(({ fileId }) => `files/${fileId}.png`),
      `files/${bill.fileId}.pdf`,
      "access/1.json",
    ]);
    expect(jsonIn(files, "person.json")).toMatchObject({
      platformId: "plt_demo_one",
      externalUserId,
      memberId,
      email,
      imported: false,
      erasure: "none",
      files: [
        { fileId: front.fileId, purpose: "document_front", contentType: "image/png" },
        { fileId: selfie.fileId, purpose: "selfie" },
        { fileId: bill.fileId, purpose: "supporting_document" },
      ],
    });
    expect(jsonIn(files, `records/${kycRecordId}.json`)).toMatchObject({
      kycRecordId,
      externalUserId,
      status: "APPROVED",
      documentExpiry: "valid",
      renews: null,
      submission,
      history: [
        { source: "submission", status: "PENDING", observedAt: expect.stringMatching(/Z$/) },
        // On a busy machine the provider's event arrives before its response.
        { source: expect.stringMatching(/^(provider|event)$/), status: "APPROVED" },
      ],
      notes: [{ text: "Sends a sharper image.", createdAt: expect.stringMatching(/Z$/) }],
    });
    for (const [name, bytes] of storedFiles) expect(files.get(name)?.equals(bytes), name).toBe(true);
    const access = jsonIn(files, "access/1.json") as Record<string, string>[];
    const seen = access.map(({ operation, subject, outcome }) => [operation, subject, outcome]);
    for (const { fileId } of [front, selfie, bill])
      expect(seen).toContainEqual(["files.upload", fileId, "done"]);
    expect(seen).toContainEqual(["kyc.submit", kycRecordId, "done"]);
    expect(seen).toContainEqual(["kyc.get", kycRecordId, "done"]);
    expect(seen).toContainEqual(["files.read", front.fileId, "done"]);
    expect(access.find(({ operation }) => operation === "users.show")).toMatchObject({
      actor: "claim:grace",
      at: expect.stringMatching(/Z$/),
    });
    expect(access.at(-1)).toMatchObject({ operation: "users.export", actor: "claim:ada" });
    expect(String(files.get("README.txt"))).toContain("card provider");
    expect([...files.values()].join("\n")).not.toContain("watch list");
  });

  it("writes what the provider asked for, with the answer", async () => {
    const { submission, kycRecordId } = await aUser({ email: newSubmission("asks-bank-statement").email });
    const { fileId, url } = await upload(samplePdf, "supporting_document");
    const files = [{ documentType: "BANK_STATEMENT", fileUrl: url }];
    const { requests } = await call(`/users/kyc?memberId=${submission.memberId}`);
    const { documentRequestId } = requests[0] ?? expect.unreachable();
    await call(`/users/kyc/${kycRecordId}/requests/${documentRequestId}`, { files });

    const output = newOutput();
    await exportTo(output, "--member-id", submission.memberId);
    const archive = await decrypted(output);
    expect(jsonIn(archive, `records/${kycRecordId}.json`).requests).toMatchObject([
      { documentRequestId, documentType: "BANK_STATEMENT", files },
    ]);
    expect([...archive.keys()]).toContain(`files/${fileId}.pdf`);
  });

  it("leaves no plain value in the file, on the terminal or in the log", async () => {
    const { submission, externalUserId, front } = await aUserWithFiles();
    const output = newOutput();
    await exportTo(output, externalUserId, "--json");
    const image = await read(front.url);
    const encrypted = await readFile(output);
    const { name, memberId, email, documentNumber, contactAddress, phoneNumber } = submission;
    for (const value of [name, memberId, email, documentNumber, contactAddress, phoneNumber, externalUserId])
      expect(encrypted.includes(value), value).toBe(false);
    expect(encrypted.includes(image.subarray(40))).toBe(false);
    const all = [...printed, ...world.lines].join("\n");
    for (const value of [memberId, email, documentNumber, contactAddress]) expect(all).not.toContain(value);
    expect(await readdir(folder)).not.toContainEqual(expect.stringContaining("partial"));
  });

  it("leaves out another platform's user of the same names", async () => {
    const names = (({ memberId, email }) => ({ memberId, email }))(newSubmission());
    const other = await aUserWithFiles({ ...names, occupation: "Smuggler" }, demoKeys.second);
    const own = await aUser(names);
    const output = newOutput();
    await exportTo(output, "--email", names.email);
    const files = await decrypted(output);
    expect([...files.keys()].filter((name) => name.startsWith("records/"))).toEqual([
      `records/${own.kycRecordId}.json`,
    ]);
    const all = Buffer.concat([...files.values()]).toString("latin1");
    for (const value of [other.externalUserId, other.kycRecordId, other.front.fileId, "Smuggler"])
      expect(all).not.toContain(value);
  });

  it("has the ids and statuses of an erased user, and no personal data", async () => {
    const { submission, externalUserId, kycRecordId } = await aUser();
    await runCommand(["users", "erase", ...platform, externalUserId], world.env);
    await eraseDue();
    const output = newOutput();
    expect(await exportTo(output, externalUserId)).toMatchObject({ code: 0 });
    const files = await decrypted(output);
    expect(jsonIn(files, "person.json")).toMatchObject({ memberId: null, email: null, erasure: "erased" });
    expect(jsonIn(files, `records/${kycRecordId}.json`)).toMatchObject({
      status: "APPROVED",
      submission: null,
    });
    expect(Buffer.concat([...files.values()]).includes(submission.documentNumber)).toBe(false);
  });

  it("refuses an output that exists or cannot be written, without an audit entry", async () => {
    const { externalUserId } = await aUser();
    const output = newOutput();
    await writeFile(output, "kept");
    const { count } = await auditedExports();
    for (const [path, stderr] of [
      [output, "--output: The file exists. Give the name of a new file.\n"],
      [join(folder, "missing", "a.age"), "--output: The file cannot be written (ENOENT).\n"],
    ] as const)
      expect(await exportTo(path, externalUserId)).toEqual({ code: 1, stdout: "", stderr });
    expect(await readFile(output, "utf8")).toBe("kept");
    expect((await auditedExports()).count).toBe(count);
  });

  it.each([
    ["a mistyped recipient", `${recipient.slice(0, -1)}!`, "--recipient: Give an age recipient"],
    ["an identity", identity, "--recipient: This is a secret key"],
  ])("refuses %s as the recipient without repeating it", async (_name, text, message) => {
    const output = newOutput();
    const args = ["users", "export", ...platform, "--output", output, "--recipient", text, "usr_1"];
    const { code, stdout, stderr } = await runCommand(args, world.env);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain(text.slice(0, 40));
    await expect(stat(output)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("that fails names what cannot be read, is audited, and leaves no file", async () => {
    const [elsewhere, one, other] = [await aUser({}, demoKeys.second), await aUser(), await aUserWithFiles()];
    await admin.query("update kyc_records set encrypted = '\\x01' where id = $1", [one.kycRecordId]);
    const { rows } = await admin.query("select blob_name from files where id = $1", [other.selfie.fileId]);
    const blobs = await readdir(world.filesFolder, { recursive: true });
    const blob = blobs.find((path) => path.endsWith(rows[0].blob_name));
    await unlink(join(world.filesFolder, String(blob)));
    const before = await readdir(folder);
    for (const [user, subject, message] of [
      [elsewhere, null, "There is no such user on this platform."],
      [
        one,
        one.externalUserId,
        `The record ${one.kycRecordId} cannot be read (not-authentic). No file was written.`,
      ],
      [other, other.externalUserId, `The file ${other.selfie.fileId} cannot be read`],
    ] as const) {
      const { code, stderr } = await exportTo(newOutput(), user.externalUserId);
      expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
      expect((await auditedExports()).newest).toMatchObject({ actor: "claim:ada", subject });
    }
    expect(await readdir(folder)).toEqual(before);
  });
});
