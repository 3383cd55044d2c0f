import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as heyApi from "@hey-api/openapi-ts";
import openapiTypescript, { astToString } from "openapi-typescript";
import * as orval from "orval";

const api = fileURLToPath(new URL("../../..", import.meta.url));

export interface GeneratedClients {
  /** Contains `hey-api`, `orval.ts` and `openapi-typescript.d.ts`. */
  folder: string;
  /** Compiles files of the folder strictly. Returns the errors; empty if there are none. */
  compile(files: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Generates clients from a service's published document, with the default settings of three generators. */
export async function generateClients(serviceUrl: string): Promise<GeneratedClients> {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-clients-"));
  await symlink(join(api, "node_modules"), join(folder, "node_modules"));
  const input = join(folder, "openapi.json");
  await writeFile(input, await (await fetch(`${serviceUrl}/openapi/v1/openapi.json`)).text());
  const baseUrl = { getBaseUrlFromSpecification: true } as const;
  const [types] = await Promise.all([
    openapiTypescript(pathToFileURL(input)),
    heyApi.createClient({ input, output: join(folder, "hey-api"), logs: { level: "silent" } }),
    orval.generate(
      { input, output: { target: join(folder, "orval.ts"), client: "fetch", baseUrl } },
      folder,
      { logLevel: "warn" },
    ),
  ]);
  await writeFile(join(folder, "openapi-typescript.d.ts"), astToString(types));
  return {
    folder,
    compile: (files) => compile(folder, files),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function compile(folder: string, files: readonly string[]): Promise<string> {
  const typescript = join(api, "node_modules", "typescript");
  const { bin } = JSON.parse(await readFile(join(typescript, "package.json"), "utf8"));
  const options =
    "--noEmit --strict --target es2022 --lib es2022,dom,dom.iterable --module esnext --moduleResolution bundler";
  const args = [join(typescript, bin.tsc), ...options.split(" "), ...files];
  const outcome = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch((error) => error);
  return outcome.stdout;
}
