import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as heyApi from "@hey-api/openapi-ts";
import openapiTypescript, { astToString } from "openapi-typescript";
import * as orval from "orval";
import type { ClientName } from "./client-programs.ts";

const api = fileURLToPath(new URL("../../..", import.meta.url));

export interface GeneratedClients {
  /** Contains what was generated: `hey-api`, `openapi-typescript.d.ts`, `orval.ts`. */
  folder: string;
  /** Compiles files of the folder strictly. Returns the errors; empty if there are none. */
  compile(files: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Generates a client's code from the document at `input`, with the generator's default settings. */
const generators: Record<ClientName, (input: string, folder: string) => Promise<unknown>> = {
  "hey-api": (input, folder) =>
    heyApi.createClient({ input, output: join(folder, "hey-api"), logs: { level: "silent" } }),
  async "openapi-fetch"(input, folder) {
    const types = await openapiTypescript(pathToFileURL(input));
    await writeFile(join(folder, "openapi-typescript.d.ts"), astToString(types));
  },
  orval(input, folder) {
    const target = join(folder, "orval.ts");
    const output = { target, client: "fetch", baseUrl: { getBaseUrlFromSpecification: true } } as const;
    return orval.generate({ input, output }, folder, { logLevel: "warn" });
  },
};

/** Generates clients from a service's published document. */
export async function generateClients(
  serviceUrl: string,
  names: readonly ClientName[],
): Promise<GeneratedClients> {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-clients-"));
  await symlink(join(api, "node_modules"), join(folder, "node_modules"));
  const input = join(folder, "openapi.json");
  await writeFile(input, await (await fetch(`${serviceUrl}/openapi/v1/openapi.json`)).text());
  await Promise.all(names.map((name) => generators[name](input, folder)));
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
