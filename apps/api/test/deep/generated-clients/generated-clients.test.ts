import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as heyApi from "@hey-api/openapi-ts";
import { build } from "esbuild";
import openapiTypescript, { astToString } from "openapi-typescript";
import * as orval from "orval";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../../src/admission/demo-keys.ts";
import { makeInternalKey } from "../../support/keys.ts";
import { sampleImage, samplePdf, sampleSelfie } from "../../support/samples.ts";
import { newSubmission, startTestService } from "../../support/test-service.ts";
import { clientPrograms } from "./client-programs.ts";

/**
 * Clients generated from the published document with default settings: their programs compile, and run the whole flow
 * from the requirements through a refused submission to the card.
 */

/** What each program exports. */
interface Program {
  onboard(key: string, person: object, images: Record<string, Blob>, platform?: string): Promise<object>;
  webhook(key: string, url: string): Promise<object>;
}

const names = Object.keys(clientPrograms);
const blobOf = (bytes: Buffer, type: string) => new Blob([new Uint8Array(bytes)], { type });
const images = {
  document_front: blobOf(sampleImage, "image/jpeg"),
  selfie: blobOf(sampleSelfie, "image/jpeg"),
  supporting_document: blobOf(samplePdf, "application/pdf"),
};
/** The sandbox refuses the first submission of this person, and approves the second. */
const newPerson = () => newSubmission("document-unreadable+once+approved");
const card = { cardId: expect.any(String), status: "active" };
const done = {
  valid: true,
  code: "KYC_REFUSED",
  reason: { path: "/frontImageUrl", rule: "DOCUMENT_UNREADABLE" },
  status: "APPROVED",
  items: [card],
  card,
};
const api = fileURLToPath(new URL("../../..", import.meta.url));

let service: Awaited<ReturnType<typeof startTestService>>;
let folder = "";
beforeAll(async () => {
  service = await startTestService({ events: false });
  folder = await mkdtemp(join(tmpdir(), "cardbridge-clients-"));
  await symlink(join(api, "node_modules"), join(folder, "node_modules"));
  const input = join(folder, "openapi.json");
  await writeFile(input, await (await fetch(`${service.url}/openapi/v1/openapi.json`)).text());
  const baseUrl = { getBaseUrlFromSpecification: true } as const;
  const [types] = await Promise.all([
    openapiTypescript(pathToFileURL(input)),
    heyApi.createClient({ input, output: join(folder, "hey-api"), logs: { level: "silent" } }),
    orval.generate(
      { input, output: { target: join(folder, "orval.ts"), client: "fetch", baseUrl } },
      folder,
      {
        logLevel: "warn",
      },
    ),
  ]);
  await writeFile(join(folder, "openapi-typescript.d.ts"), astToString(types));
  for (const [name, program] of Object.entries(clientPrograms)) {
    await writeFile(join(folder, `with-${name}.ts`), program.replaceAll("BASE_URL", service.url));
  }
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await service.stop();
});

it("the programs with generated clients compile", async () => {
  const typescript = join(api, "node_modules", "typescript");
  const { bin } = JSON.parse(await readFile(join(typescript, "package.json"), "utf8"));
  const options = "--noEmit --strict --target es2022 --lib es2022,dom,dom.iterable --module esnext";
  const programs = names.map((name) => `with-${name}.ts`);
  const args = [
    join(typescript, bin.tsc),
    ...options.split(" "),
    "--moduleResolution",
    "bundler",
    ...programs,
  ];
  const outcome = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch((error) => error);
  expect(outcome.stdout).toBe("");
});

describe.each(names)("a program with %s", (name) => {
  let program: Program;
  beforeAll(async () => {
    const outfile = join(folder, "built", `${name}.mjs`);
    const entryPoints = [join(folder, `with-${name}.ts`)];
    await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", logLevel: "warning" });
    program = await import(pathToFileURL(outfile).href);
  });

  it("runs the whole flow with a platform's key", async () => {
    expect(await program.onboard(demoKeys.first, newPerson(), images)).toMatchObject(done);
  });

  it("administers a webhook endpoint", async () => {
    const result = await program.webhook(demoKeys.first, "https://hooks.example.com/");
    expect(result).toEqual({ type: "webhook.test", enabled: false, isDeleted: true });
  });

  it("runs the whole flow with an internal app's key, for the platform that the app names", async () => {
    const key = await makeInternalKey(service.adminUrl, ["cards:read", "kyc:write", "files:write"]);
    expect(await program.onboard(key, newPerson(), images, "plt_demo_one")).toMatchObject(done);
  });
});
