import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { newSubmission, startTestService } from "@cardbridge/api/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/*
 * Tests the built package as an app outside the workspace installs it: without sources, zod and @types/node, with the
 * oldest and the newest tRPC of the range of its peers, and with that of the workspace.
 */
const run = promisify(execFile);
const packageFolder = fileURLToPath(new URL("../..", import.meta.url));
const installed = (path: string) => join(packageFolder, "node_modules", path);
let folder: string;
/** The unpacked package. */
let unpacked: string;
let declarations: string;
/** The declarations without their comments. */
let code: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-app-"));
  unpacked = join(folder, "package");
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: packageFolder,
  });
  const [{ filename }] = JSON.parse(stdout);
  await run("tar", ["-xzf", filename], { cwd: folder });
  declarations = await readFile(join(unpacked, "dist/index.d.ts"), "utf8");
  code = declarations.replaceAll(/\/\*\*.*?\*\//gs, "");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** An app with the package and a version of tRPC, which a link in node_modules names. */
async function createApp(client: string) {
  const app = join(folder, client);
  const modules = join(app, "node_modules");
  await mkdir(join(modules, "@cardbridge"), { recursive: true });
  await cp(unpacked, join(modules, "@cardbridge/trpc-client"), { recursive: true });
  // pnpm installs the dependencies of a package next to it.
  const trpc = await realpath(installed(client));
  const eventsource = await realpath(installed("eventsource"));
  for (const path of [
    trpc,
    join(trpc, "../server"),
    eventsource,
    join(eventsource, "../eventsource-parser"),
  ]) {
    const source = await realpath(path);
    const name = source.slice(source.lastIndexOf("node_modules/") + "node_modules/".length);
    await cp(source, join(modules, name), {
      recursive: true,
      filter: (path) => !path.slice(source.length).includes("node_modules"),
    });
  }
  const write = (name: string, text: string) => writeFile(join(app, name), text);
  await write("package.json", JSON.stringify({ type: "module" }));

  /** Type-checks modules of the app together. Returns the compiler's errors. */
  async function compile(modules: Record<string, string>, options: object = { module: "nodenext" }) {
    for (const [name, text] of Object.entries(modules)) await write(name, text);
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, types: [] };
    const compilerOptions = { target: "esnext", noEmit: true, ...strict, ...options };
    await write("tsconfig.json", JSON.stringify({ compilerOptions, files: Object.keys(modules) }));
    // The compiler writes its errors to stdout.
    return run(installed(".bin/tsc"), ["-p", "."], { cwd: app }).then(
      () => "",
      (error: { stdout: string }) => error.stdout,
    );
  }

  /** Runs a module of the app, and parses what it prints. */
  async function execute(text: string): Promise<unknown> {
    await write("app.ts", text);
    return JSON.parse((await run(process.execPath, ["app.ts"], { cwd: app })).stdout);
  }

  const { version } = JSON.parse(await readFile(join(modules, "@trpc/client/package.json"), "utf8"));
  return { compile, execute, version };
}

/** The TypeScript of a page, as one module. */
async function samplesOf(page: string): Promise<string> {
  const markdown = await readFile(join(packageFolder, "../..", page), "utf8");
  const samples = [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, sample]) => sample);
  expect(samples.length).toBeGreaterThan(0);
  return samples.join("\n");
}

/** The samples without their import and their client, which another page has too. */
const withoutClient = (samples: string) => samples.slice(samples.indexOf("export function"));

it("has peers with a range whose oldest version is tested", async () => {
  const { peerDependencies } = JSON.parse(await readFile(join(unpacked, "package.json"), "utf8"));
  const { version } = await createApp("trpc-client-oldest");
  const range = `>=${version} <12`;
  expect(peerDependencies).toEqual({ "@trpc/client": range, "@trpc/server": range });
});

describe("the declarations", () => {
  it("import only @trpc/server", () => {
    const imported = [...declarations.matchAll(/(?:from |import\()"([^"]+)"/g)].map(([, name]) => name);
    expect(new Set(imported)).toEqual(new Set(["@trpc/server"]));
    expect(code).not.toMatch(/\bany\b|^\/\/\/ <reference/m);
  });

  it("have a name for what each operation returns", () => {
    const names = [
      "KycChange",
      "RecordDetails",
      "RecordRow",
      "RecordChangeEvent",
      "CurrentPerson",
      "AuditEntry",
    ];
    for (const name of names) expect(declarations).toMatch(new RegExp(`^export type .*\\b${name}\\b`, "m"));
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

const validCalls = `import { createClient, type AuditEntry, type KycChange, type RecordDetails } from "@cardbridge/trpc-client";
const { audit, kyc, platforms, records } = createClient({ url: "http://127.0.0.1:3000", apiKey: "cb_int_" });
export const { changes }: { changes: KycChange[] } = await kyc.listChanges.query();
export const { entries }: { entries: AuditEntry[] } = await audit.list.query({ platformId: "plt_1" });
export const record: RecordDetails = await records.get.query({ kycRecordId: "kyc_1" });
export const { more } = await platforms.list.query();
`;
const wrongCalls = `import { createClient, problemOf } from "@cardbridge/trpc-client";
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
await cards.list.query();
`;

describe.each(["@trpc/client", "trpc-client-oldest", "trpc-client-newest"])("an app with %s", (client) => {
  let app: Awaited<ReturnType<typeof createApp>>;
  beforeAll(async () => {
    app = await createApp(client);
  });

  it.each([{ module: "nodenext" }, { module: "esnext", moduleResolution: "bundler" }])(
    "type-checks the examples and valid calls, and not wrong calls, with %j",
    async (options) => {
      const pages = ["typed-client", "persons", "subscriptions"].map((name) => `docs/apps/${name}.md`);
      const modules: Record<string, string> = { "valid.ts": validCalls, "wrong.ts": wrongCalls };
      for (const page of [...pages, "packages/trpc-client/README.md"])
        modules[`${page.replaceAll("/", "-")}.ts`] = await samplesOf(page);
      const errors = (await app.compile(modules, options)).split("\n").filter((line) => /^\S/.test(line));
      const places = errors.map((line) => line.slice(0, line.indexOf(",")));
      expect(places).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((line) => `wrong.ts(${line}`));
    },
  );

  it("has the types of tRPC's own clients", async () => {
    const text = `import type { AppRouter } from "@cardbridge/trpc-client";
import type { TRPCClient } from "@trpc/client";
export const total = async (client: TRPCClient<AppRouter>): Promise<number> =>
  (await client.cards.list.query({ memberId: "alice" })).total + (await client.webhooks.list.query()).endpoints.length;
`;
    // The declarations of @trpc/client need those of Node and of ws.
    expect(await app.compile({ "own.ts": text }, { module: "nodenext", skipLibCheck: true })).toBe("");
  });

  it("calls a service: the examples of the first call and of changes, a query, and a subscription", async () => {
    const service = await startTestService();
    const onService = (text: string) =>
      text
        .replace("http://127.0.0.1:3000", service.url)
        .replace("cb_test_DemoPlatformOne0000000003IZXaY", service.caller().key);
    const client = onService(await samplesOf("docs/apps/typed-client.md"));
    const changes = onService(await samplesOf("docs/apps/subscriptions.md"));
    const [first, second] = [newSubmission(), newSubmission()].map((each) => JSON.stringify(each));
    const calls = `const statuses: (string | null)[] = [];
const { lastEventId } = await cardbridge.kyc.listChanges.query();
const replayed = [await submit(${first}, "1"), await submit(${first}, "1")];
const position = await eachChange(lastEventId, (status) => statuses.push(status));
const found = [await activeCards("alice"), await activeCards("nobody"), (await cardsWithin("alice", 20_000)).total];
const { endpoints } = await cardbridge.webhooks.list.query();
const types: string[] = [];
await new Promise<void>((resolve, reject) => {
  const subscription = cardbridge.kyc.changes.subscribe(undefined, {
    async onData({ data }) {
      types.push(data.type);
      if (types.length === 1) await cardbridge.kyc.submit.mutate(${second});
      if (types.length === 3) resolve(subscription.unsubscribe());
    },
    onError: reject,
  });
});
const lists = found.map((each) => Array.isArray(each) ? each.length : each);
console.log(JSON.stringify([replayed, statuses, position !== lastEventId, lists, endpoints, types]));`;
    const done = await app
      .execute(`${client}${withoutClient(changes)}${calls}`)
      .finally(() => service.stop());
    const types = ["subscription.started", "kyc.updated", "kyc.updated"];
    expect(done).toEqual([[false, true], ["PENDING", "APPROVED"], true, [1, 0, 4], [], types]);
  });
});
