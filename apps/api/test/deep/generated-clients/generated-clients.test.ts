import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../../src/admission/demo-keys.ts";
import { makeInternalKey } from "../../support/keys.ts";
import { sampleImage, samplePdf, sampleSelfie } from "../../support/samples.ts";
import { newSubmission, startTestService } from "../../support/test-service.ts";
import { clientPrograms } from "./client-programs.ts";
import { type GeneratedClients, generateClients } from "./generate-clients.ts";

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

let service: Awaited<ReturnType<typeof startTestService>>;
let generated: GeneratedClients;
beforeAll(async () => {
  service = await startTestService({ events: false });
  generated = await generateClients(service.url);
  for (const [name, program] of Object.entries(clientPrograms)) {
    await writeFile(join(generated.folder, `with-${name}.ts`), program.replaceAll("BASE_URL", service.url));
  }
});
afterAll(async () => {
  await generated.remove();
  await service.stop();
});

it("the programs with generated clients compile", async () => {
  expect(await generated.compile(names.map((name) => `with-${name}.ts`))).toBe("");
});

describe.each(names)("a program with %s", (name) => {
  let program: Program;
  beforeAll(async () => {
    const outfile = join(generated.folder, "built", `${name}.mjs`);
    const entryPoints = [join(generated.folder, `with-${name}.ts`)];
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
