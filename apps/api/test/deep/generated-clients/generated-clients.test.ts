import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ErrorCode, Failure } from "@cardbridge/domain";
import { build } from "esbuild";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoKeys } from "../../../src/admission/api-key.ts";
import { errorMapping } from "../../../src/http/errors/mapping.ts";
import { renderError } from "../../../src/http/errors/render.ts";
import { inputMutation } from "../../hostile/inputs.ts";
import { restSubmit } from "../../support/call.ts";
import { makeInternalKey } from "../../support/keys.ts";
import { sampleImage, samplePdf, sampleSelfie } from "../../support/samples.ts";
import { newSubmission, startTestService } from "../../support/test-service.ts";
import { type ClientName, clientPrograms } from "./client-programs.ts";
import { type GeneratedClients, generateClients } from "./generate-clients.ts";

/*
 * Clients generated from the published document with default settings: their programs compile, and run the whole flow
 * from the requirements through a refused submission to the card. Their types fit every answer. The nightly tier has all
 * generators.
 */
const names = (process.env.CLIENT_GENERATORS ?? "hey-api").split(",") as ClientName[];
const submissions = Number(process.env.CLIENT_ANSWERS ?? 500);

/** What each program exports. */
interface Program {
  onboard(key: string, person: object, images: Record<string, Blob>, platform?: string): Promise<object>;
  webhook?(key: string, url: string): Promise<object>;
}

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
  generated = await generateClients(service.url, names);
  for (const name of names) {
    const program = clientPrograms[name].program.replaceAll("BASE_URL", service.url);
    await writeFile(join(generated.folder, `with-${name}.ts`), program);
  }
});
afterAll(async () => {
  await generated.remove();
  await service.stop();
});

/** The different answers, each with its type. Ids and texts do not count as differences. */
const answers = new Map<string, string>();

function add(type: "KycResult" | "Problem", body: unknown): void {
  const json = JSON.stringify(body);
  expect(body).toMatchObject({
    status: expect.toBeOneOf([null, "PENDING", "PENDING_APPROVAL", "APPROVED", "REJECTED"]),
  });
  const shape = json.replace(/"(path|message|requestId|\w+Id)":"[^"]*"/g, "$1");
  answers.set(`${type} ${shape}`, `(${json}) satisfies ${type};`);
}

const scenarios = "approved,rejected,document-unreadable,rejected+selfie-mismatch+final,pending,refused";
const body = fc
  .tuple(fc.constantFrom(...scenarios.split(",")), fc.array(inputMutation, { maxLength: 2 }))
  .map(([tag, mutations]) => mutations.reduce<unknown>((input, mutate) => mutate(input), newSubmission(tag)));

it(`${submissions} random bodies of a submission get a status of section 2.4 or null`, async () => {
  const bodies = fc.sample(body, { numRuns: submissions, seed: 1 }).values();
  const submit = async () => {
    for (const one of bodies) {
      const answer = await restSubmit(service.caller(), JSON.stringify(one) ?? "");
      add(answer.status < 300 ? "KycResult" : "Problem", answer.body);
    }
  };
  await Promise.all(Array.from({ length: 8 }, submit));
  const results = [...answers.keys()].filter((key) => key.startsWith("KycResult"));
  expect([results.length > 3, answers.size > 25]).toEqual([true, true]);
});

it("every error of the catalogue has a status of null", () => {
  const call = { requestId: "req_1", method: "POST", path: "/openapi/v1/users/kyc" };
  for (const code of Object.keys(errorMapping) as ErrorCode[])
    add("Problem", JSON.parse(renderError(new Failure(code, { retryAfterSeconds: 1 }), call).body));
});

it("the programs with generated clients compile, and every answer has their types", async () => {
  // The compiler accepts no unknown field in a literal.
  for (const name of names) {
    const program = [clientPrograms[name].types, ...answers.values(), ""].join("\n");
    await writeFile(join(generated.folder, `answers-with-${name}.ts`), program);
  }
  const programs = names.flatMap((name) => [`with-${name}.ts`, `answers-with-${name}.ts`]);
  expect(await generated.compile(programs)).toBe("");
});

async function programOf(name: ClientName): Promise<Program> {
  const outfile = join(generated.folder, "built", `${name}.mjs`);
  const entryPoints = [join(generated.folder, `with-${name}.ts`)];
  await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", logLevel: "warning" });
  return import(pathToFileURL(outfile).href);
}

it.each(names)(
  "a program with %s runs the whole flow with a platform's key and an internal app's",
  async (name) => {
    const program = await programOf(name);
    expect(await program.onboard(demoKeys.first, newPerson(), images)).toMatchObject(done);
    const key = await makeInternalKey(service.adminUrl, ["cards:read", "kyc:write", "files:write"]);
    expect(await program.onboard(key, newPerson(), images, "plt_demo_one")).toMatchObject(done);
  },
);

it("a program administers a webhook endpoint", async () => {
  const { webhook } = await programOf("hey-api");
  expect(await webhook?.(demoKeys.first, "https://hooks.example.com/")).toEqual({
    type: "webhook.test",
    enabled: false,
    isDeleted: true,
  });
});
