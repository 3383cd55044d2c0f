import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { newSubmission, startTestService } from "@cardbridge/api/testing";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { kycUpdated, newSecret, signedWebhook } from "../support/signed-webhook.ts";

/* Tests the built package on Node, without Node's globals, and on the runtimes that `npm run test:nightly` installs. */
const run = promisify(execFile);
const packageFolder = fileURLToPath(new URL("../..", import.meta.url));
const others = join(packageFolder, "runtimes/node_modules");
let service: Awaited<ReturnType<typeof startTestService>>;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), "cardbridge-runtimes-"));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Bundles an entry point into one file without imports. */
async function bundle(name: string, format: "esm" | "iife" = "esm"): Promise<string> {
  const outfile = join(folder, `${name}.${format === "esm" ? "mjs" : "js"}`);
  const entry = join(packageFolder, `test/deep/runtimes/${name}.mjs`);
  const alias = { "@cardbridge/client": join(packageFolder, "dist/index.js") };
  await build({ entryPoints: [entry], outfile, bundle: true, format, target: "es2022", alias });
  return outfile;
}

async function input() {
  const sample = (name: string) =>
    readFile(new URL(`../../../../apps/api/samples/${name}`, import.meta.url), "base64");
  const { frontImageUrl, selfieImageUrl, supportingDocuments, ...person } = newSubmission(
    "document-unreadable+once+approved",
  );
  const { key: apiKey } = service.caller();
  const files = { image: await sample("document-front.jpg"), pdf: await sample("address-proof.pdf") };
  const secret = newSecret();
  const webhook = { ...signedWebhook(kycUpdated(1, "APPROVED"), { secrets: [secret] }), secret };
  return { baseUrl: service.url, apiKey, person, ...files, webhook };
}

const whole = {
  status: "active",
  verified: "APPROVED",
  forged: "wrong-signature",
  asked: ["DOCUMENT_UNREADABLE"],
  isWhole: true,
  unknown: "USER_NOT_FOUND",
  aborted: "aborted",
  late: "timeout",
  nowhere: "connection",
};

const programs: Record<string, [string, ...string[]]> = {
  node: [process.execPath],
  bun: [join(others, ".bin/bun")],
  deno: [join(others, ".bin/deno"), "run", "--no-config", "--allow-net", "--allow-env"],
};
const installed = Object.keys(programs).filter((name) => existsSync(programs[name]?.[0] ?? ""));

it.each(installed)("runs on %s", async (name) => {
  const [program = "", ...options] = programs[name] ?? [];
  const env = { ...process.env, JOURNEY: JSON.stringify(await input()) };
  const { stdout } = await run(program, [...options, await bundle("program")], { env });
  expect(JSON.parse(stdout)).toEqual(whole);
});

const webGlobals = [
  "AbortController",
  "AbortSignal",
  "Blob",
  "FormData",
  "Headers",
  "ReadableStream",
  "Response",
  "TextDecoder",
  "TextEncoder",
  "URL",
  "URLSearchParams",
  "atob",
  "clearTimeout",
  "crypto",
  "fetch",
  "performance",
  "setTimeout",
] as const;

it("runs with only the globals of the web", async () => {
  const web = Object.fromEntries(webGlobals.map((name) => [name, globalThis[name]]));
  const context = createContext({ ...web, input: await input() });
  runInContext(await readFile(await bundle("context", "iife"), "utf8"), context);
  expect(await runInContext("result.then(JSON.stringify)", context).then(JSON.parse)).toEqual(whole);
});

if (existsSync(join(others, "miniflare"))) {
  it("runs in a worker of workerd", async () => {
    const { Miniflare } = await import(join(others, "miniflare/dist/src/index.js"));
    const worker = new Miniflare({
      modules: true,
      script: await readFile(await bundle("worker"), "utf8"),
      compatibilityDate: "2026-07-30",
    });
    const init = { method: "POST", body: JSON.stringify(await input()) };
    const response = await worker.dispatchFetch("http://worker/", init);
    expect(await response.json()).toEqual(whole);
    await worker.dispose();
  });
}
