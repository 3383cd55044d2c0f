import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startTestService } from "@cardbridge/api/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../support/error-of.ts";

/* Tests the built package as an app outside the workspace installs it: without sources, zod and @types/node. */
const run = promisify(execFile);
const packageFolder = fileURLToPath(new URL("../..", import.meta.url));
const installed = (path: string) => join(packageFolder, "node_modules", path);
let app: string;
let declarations: string;
/** The declarations without their comments. */
let code: string;

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), "cardbridge-app-"));
  const modules = join(app, "node_modules");
  await mkdir(join(modules, "@cardbridge"), { recursive: true });
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", app], {
    cwd: packageFolder,
  });
  const [{ filename }] = JSON.parse(stdout);
  await run("tar", ["-xzf", filename], { cwd: app });
  await cp(join(app, "package"), join(modules, "@cardbridge/trpc-client"), { recursive: true });
  const dependencies = ["@trpc/client", "@trpc/server", "eventsource"].map(installed);
  // pnpm installs the dependencies of a package next to it.
  dependencies.push(join(await realpath(installed("eventsource")), "../eventsource-parser"));
  for (const path of dependencies) {
    const source = await realpath(path);
    const name = source.slice(source.lastIndexOf("node_modules/") + "node_modules/".length);
    await cp(source, join(modules, name), {
      recursive: true,
      filter: (path) => !path.slice(source.length).includes("node_modules"),
    });
  }
  declarations = await readFile(join(modules, "@cardbridge/trpc-client/dist/index.d.ts"), "utf8");
  code = declarations.replaceAll(/\/\*\*.*?\*\//gs, "");
  await write("package.json", JSON.stringify({ type: "module" }));
});
afterAll(() => rm(app, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(join(app, name), text);

/** Type-checks a module of the app; rejects with the compiler's output if it reports errors. */
async function compile(text: string, moduleOptions: object = { module: "nodenext" }) {
  await write("app.ts", text);
  const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, types: [] };
  const compilerOptions = { target: "esnext", noEmit: true, ...strict, ...moduleOptions };
  await write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["app.ts"] }));
  return run(installed(".bin/tsc"), ["-p", "."], { cwd: app });
}

describe("the declarations", () => {
  it("import only @trpc/server", () => {
    const imported = [...declarations.matchAll(/(?:from |import\()"([^"]+)"/g)].map(([, name]) => name);
    expect(new Set(imported)).toEqual(new Set(["@trpc/server"]));
    expect(code).not.toMatch(/\bany\b|^\/\/\/ <reference/m);
  });

  it("preserve the alternatives of identifiers and the known statuses for editors", () => {
    expect(declarations).toContain('("active" | "inactive" | "locked" | "lost" | (string & {}))');
    expect(code).toMatch(/email: string;\s+memberId\?: undefined;/);
    expect(code).toMatch(/email\?: undefined;\s+memberId: string;/);
  });

  it("describe procedures and fields", () => {
    expect(declarations).toMatch(/\/\*\* Lists the payment cards .* \*\/\s+list: {/);
    expect(declarations).toMatch(/\/\*\* Page number, starting at 1\. \*\/\s+page\?: number/);
    expect(declarations).toMatch(/\/\*\* The last four digits of the card number\. \*\/\s+last4: string/);
  });
});

describe("an app", () => {
  const samples = async () => {
    const readme = await readFile(join(packageFolder, "README.md"), "utf8");
    const found = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, sample]) => sample);
    expect(found).toHaveLength(3);
    return found.join("\n");
  };

  it.each([{ module: "nodenext" }, { module: "esnext", moduleResolution: "bundler" }])(
    "type-checks the examples of the README with %j",
    async (moduleOptions) => {
      expect(await compile(await samples(), moduleOptions)).toMatchObject({ stdout: "" });
    },
  );

  it("does not compile with wrong calls", async () => {
    const error = await errorOf(
      compile(`import { createClient, problemOf } from "@cardbridge/trpc-client";
const { cards, kyc, files } = createClient({ url: "http://127.0.0.1:3000", apiKey: "cb_test_" });
await cards.list.query({ page: 1 });
await cards.list.query({ memberId: "alice", email: "alice@example.com" });
await cards.list.query({ memberId: 1 });
await kyc.submit.mutate({ memberId: "alice" });
await kyc.get.query({ memberId: "alice" }, { context: { idempotencyKey: "1" } });
await files.createUploadUrl.mutate({ purpose: "passport" });
(await cards.list.query({ memberId: "alice" })).items[0]?.pan;
problemOf(undefined)?.code === "NO_SUCH_CODE";
kyc.changes.subscribe({}, { onData: ({ data }) => data.type === "card.updated" });
`),
    );
    const lines = [...(error as { stdout: string }).stdout.matchAll(/^app\.ts\((\d+),/gm)];
    expect(lines.map(([, line]) => Number(line))).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it("lists cards of a running service", async () => {
    const service = await startTestService();
    const options = JSON.stringify({ url: service.url, apiKey: service.caller().key });
    await write(
      "app.js",
      `import { createClient } from "@cardbridge/trpc-client";
const page = await createClient(${options}).cards.list.query({ memberId: "alice" });
console.log(page.total);`,
    );
    expect(await run(process.execPath, ["app.js"], { cwd: app })).toMatchObject({ stdout: "4\n" });
    await service.stop();
  });
});
