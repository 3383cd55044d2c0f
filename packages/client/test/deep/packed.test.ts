import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { transform } from "esbuild";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/* Tests the built package as a platform installs it. */
const run = promisify(execFile);
const packageFolder = fileURLToPath(new URL("../..", import.meta.url));
const installed = (path: string) => join(packageFolder, "node_modules", path);
let app: string;
let tarball: string;
const dist = (name: string) => readFile(join(app, "node_modules/@cardbridge/client/dist", name), "utf8");

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), "cardbridge-platform-"));
  await mkdir(join(app, "node_modules/@cardbridge"), { recursive: true });
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", app], {
    cwd: packageFolder,
  });
  const [{ filename }] = JSON.parse(stdout);
  tarball = join(app, filename);
  await run("tar", ["-xzf", filename], { cwd: app });
  await cp(join(app, "package"), join(app, "node_modules/@cardbridge/client"), { recursive: true });
  await cp(installed("@types/node"), join(app, "node_modules/@types/node"), {
    recursive: true,
    dereference: true,
  });
  await cp(
    join(await realFolder("@types/node"), "../../undici-types"),
    join(app, "node_modules/undici-types"),
    { recursive: true, dereference: true },
  );
  await write("package.json", JSON.stringify({ type: "module" }));
});
afterAll(() => rm(app, { recursive: true, force: true }));

const realFolder = async (name: string) => (await run("realpath", [installed(name)])).stdout.trim();
const write = (name: string, text: string) => writeFile(join(app, name), text);

/** Type-checks modules of the app together. Returns the places of the compiler's errors: `app.ts(1`. */
async function compile(modules: Record<string, string>, options: object = {}): Promise<string[]> {
  for (const [name, text] of Object.entries(modules)) await write(name, text);
  const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, types: [] };
  const compilerOptions = { target: "esnext", noEmit: true, module: "nodenext", ...strict, ...options };
  await write("tsconfig.json", JSON.stringify({ compilerOptions, files: Object.keys(modules) }));
  // The compiler writes its errors to stdout.
  const errors = await run(installed(".bin/tsc"), ["-p", "."], { cwd: app }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
  return [...errors.matchAll(/^\S+?\(\d+/gm)].map(([place]) => place);
}

it("passes publint", async () => {
  const { messages } = await publint({ pack: { tarball: (await readFile(tarball)).buffer }, strict: true });
  expect(messages).toEqual([]);
});

it("has types for every module resolution of ES modules", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(tarball)));
  expect(analysis.types).toMatchObject({ kind: "included" });
  // The package has ES modules only, so problems of CommonJS resolution do not count.
  const problems = "problems" in analysis ? analysis.problems : [];
  const ours = problems.filter(
    (problem) => !("resolutionKind" in problem) || problem.resolutionKind !== "node10",
  );
  expect(ours.filter(({ kind }) => kind !== "CJSResolvesToESM")).toEqual([]);
});

it("has no imports and no dependencies", async () => {
  const manifest = JSON.parse(await readFile(join(app, "package/package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("peerDependencies");
  const texts = [await dist("index.js"), await dist("index.d.ts")].join("\n");
  expect(texts).not.toMatch(/^import |\bimport\(|\brequire\(|^\/\/\/ <reference/m);
});

it("is smaller than 10 KB, minified and compressed", async () => {
  const { code } = await transform(await dist("index.js"), { minify: true, format: "esm" });
  expect(gzipSync(code).length).toBeLessThan(10_000);
});

describe("the declarations", () => {
  it("are plain types with the descriptions of operations and fields", async () => {
    const declarations = await dist("index.d.ts");
    expect(declarations.replaceAll(/\/\*\*.*?\*\//gs, "")).not.toMatch(/\bany\b|\bz\./);
    expect(declarations).toMatch(/\/\*\* The last four digits of the card number\. \*\/\s+last4: string/);
  });

  it.each([
    { lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"] },
    { lib: ["esnext"], types: ["node"] },
    { module: "esnext", moduleResolution: "bundler" },
  ])("compile with %j", async (options) => {
    const text = `import { createClient, ProblemError, type Card } from "@cardbridge/client";
const { cards, kyc, files } = createClient({ baseUrl: "https://cards.example.com", apiKey: "cb_test_", fetch });
const all: Card[] = [];
for await (const card of cards.listAll({ memberId: "alice", status: "new" })) all.push(card);
const signal = AbortSignal.timeout(1_000);
const { url } = await files.upload({ purpose: "selfie", file: new Blob([]).stream() }, { signal });
const decided = await kyc.waitForDecision({ kycRecordId: url });
export const codes: string[] = decided.reasons.map(({ code }) => code);
export const isUnknown = (error: unknown) => error instanceof ProblemError && error.code === "USER_NOT_FOUND";
`;
    expect(await compile({ "app.ts": text }, options)).toEqual([]);
  });

  it("make a switch over decisions exhaustive, narrow events by their type, and reject wrong calls", async () => {
    const decide = `import type { Client, KycSubmission } from "@cardbridge/client";
export async function isApproved({ kyc }: Client, submission: KycSubmission): Promise<boolean> {
  const decided = await kyc.decide(submission);
  switch (decided.decision) {
    case "approved":
      return decided.renewal === null || decided.renewal.decision !== "rejected";
    case "rejected":
    case "refused":
    case "pending":
    case "action-required":
    case "conflict":
      return false;
  }
}
`;
    const receive = `import { verifyWebhook, type WebhookEvent } from "@cardbridge/client";
export async function receive(request: Request, secret: string): Promise<string | null> {
  const event: WebhookEvent = await verifyWebhook(await request.arrayBuffer(), request.headers, [secret]);
  if (event.type === "kyc.updated") return event.data.status;
  if (event.type === "kyc.request_updated") return event.data.documentType;
  if (event.type === "kyc.document_expiring") return event.data.documentExpiry;
  if (event.type === "kyc.document_expired") return event.data.documentExpiry;
  if (event.type === "card.updated") return event.data.cardId;
  if (event.type === "webhook.test") return event.data.endpointId;
  const unknown: Record<string, unknown> = event.data;
  return event.type + event.webhookId + String(unknown.cardId);
}
`;
    const calls = `import { createClient } from "@cardbridge/client";
const { cards, kyc, files } = createClient({ baseUrl: "https://cards.example.com", apiKey: "cb_test_" });
await cards.list({ page: 1 });
await cards.list({ memberId: "alice", email: "alice@example.com" });
cards.listAll({ memberId: "alice", page: 2 });
await kyc.submit({ memberId: "alice" });
await kyc.get({ memberId: "alice" }, { idempotencyKey: "1" });
await files.upload({ purpose: "passport", file: new Blob() });
await files.upload({ purpose: "selfie", file: "selfie.jpg" });
(await cards.list({ memberId: "alice" })).items[0]?.pan;
`;
    const modules = {
      "decide.ts": decide,
      "receive.ts": receive,
      "wrong-calls.ts": calls,
      "wrong-decide.ts": decide.replace('    case "conflict":\n', ""),
      "wrong-receive.ts": receive.replace("event.data.status", "event.data.cardId"),
    };
    const wrongCalls = [3, 4, 5, 6, 7, 8, 9, 10].map((line) => `wrong-calls.ts(${line}`);
    const expected = [...wrongCalls, "wrong-decide.ts(2", "wrong-receive.ts(4"];
    expect(await compile(modules, { noImplicitReturns: true })).toEqual(expected);
  });
});

it("shows the example in the README in up to 30 lines", async () => {
  const readme = await readFile(join(app, "package/README.md"), "utf8");
  const example = await readFile(join(app, "package/examples/onboard.mjs"), "utf8");
  expect(readme).toContain(`\`\`\`js\n${example}\`\`\``);
  expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(30);
});
