import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as heyApi from "@hey-api/openapi-ts";
import { build } from "esbuild";
import openapiTypescript, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../src/api-keys/demo-keys.ts";
import { makeInternalKey } from "../support/keys.ts";
import { sampleImage } from "../support/samples.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/**
 * Clients that generators make from the published document, in their default settings: their programs compile, and
 * list, submit and upload.
 */

/** What each program exports. Its own client's types check the calls. */
interface Program {
  run(key: string, submission: unknown, image: Blob, platform?: string): Promise<unknown[]>;
}

const withHeyApi = `
import { cardsList, filesUpload, kycSubmit, type KycSubmission } from "./hey-api";
import { client } from "./hey-api/client.gen";

export async function run(key: string, body: KycSubmission, file: Blob, platform?: string) {
  client.setConfig({ auth: () => key });
  const headers = platform === undefined ? {} : { "X-Cardbridge-Platform": platform };
  const cards = await cardsList({ query: { memberId: "alice", pageSize: 1 }, headers });
  const submitted = await kycSubmit({ body, headers: { ...headers, "Idempotency-Key": crypto.randomUUID() } });
  const uploaded = await filesUpload({ body: { purpose: "selfie", file }, headers });
  return [cards.data?.pageSize, submitted.data?.code, uploaded.data?.purpose, cards.error, submitted.error, uploaded.error];
}
`;

const withOpenapiFetch = `
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi-typescript";

export async function run(key: string, body: components["schemas"]["KycSubmission"], image: Blob, platform?: string) {
  const client = createClient<paths>({ baseUrl: "BASE_URL", headers: { Authorization: "Bearer " + key } });
  const header = platform === undefined ? {} : { "X-Cardbridge-Platform": platform };
  const query = { memberId: "alice", pageSize: 1 };
  const cards = await client.GET("/openapi/v1/cards/list", { params: { query, header } });
  const submitted = await client.POST("/openapi/v1/users/kyc", {
    params: { header: { ...header, "Idempotency-Key": crypto.randomUUID() } },
    body,
  });
  const uploaded = await client.POST("/openapi/v1/files", {
    params: { header },
    body: { purpose: "selfie", file: "" },
    bodySerializer({ purpose }) {
      const form = new FormData();
      form.set("purpose", purpose);
      form.set("file", image);
      return form;
    },
  });
  return [cards.data?.pageSize, submitted.data?.code, uploaded.data?.purpose, cards.error, submitted.error, uploaded.error];
}
`;

const done = [1, "KYC_SUBMITTED", "selfie", undefined, undefined, undefined];
const api = fileURLToPath(new URL("../..", import.meta.url));
const image = new Blob([new Uint8Array(sampleImage)], { type: "image/jpeg" });

let service: Awaited<ReturnType<typeof startTestService>>;
let folder = "";
beforeAll(async () => {
  service = await startTestService({ events: false });
  folder = await mkdtemp(join(tmpdir(), "cardbridge-clients-"));
  await symlink(join(api, "node_modules"), join(folder, "node_modules"));
  const document = join(folder, "openapi.json");
  await writeFile(document, await (await fetch(`${service.url}/openapi/v1/openapi.json`)).text());
  await heyApi.createClient({ input: document, output: join(folder, "hey-api"), logs: { level: "silent" } });
  const types = await openapiTypescript(pathToFileURL(document));
  await mkdir(join(folder, "openapi-typescript"));
  await writeFile(join(folder, "openapi-typescript", "index.d.ts"), astToString(types));
  await writeFile(join(folder, "with-hey-api.ts"), withHeyApi);
  await writeFile(join(folder, "with-openapi-fetch.ts"), withOpenapiFetch.replace("BASE_URL", service.url));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await service.stop();
});

it("compile, with the calls that they are made for", async () => {
  const typescript = join(api, "node_modules", "typescript");
  const { bin } = JSON.parse(await readFile(join(typescript, "package.json"), "utf8"));
  const options = "--noEmit --strict --target es2022 --lib es2022,dom,dom.iterable --module esnext";
  const programs = ["with-hey-api.ts", "with-openapi-fetch.ts"];
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

describe.each(["with-hey-api", "with-openapi-fetch"])("a program %s", (name) => {
  let program: Program;
  beforeAll(async () => {
    const outfile = join(folder, "built", `${name}.mjs`);
    const entryPoints = [join(folder, `${name}.ts`)];
    await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", logLevel: "warning" });
    program = await import(pathToFileURL(outfile).href);
  });

  it("lists, submits and uploads with a platform's key", async () => {
    expect(await program.run(demoKeys.first, newSubmission(), image)).toEqual(done);
  });

  it("names the platform with the key of an internal app", async () => {
    const key = await makeInternalKey(service.adminUrl, ["cards:read", "kyc:write", "files:write"]);
    expect(await program.run(key, newSubmission(), image, "plt_demo_one")).toEqual(done);
  });
});
