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

  /** Type-checks a module of the app. Returns the compiler's errors. */
  async function compile(text: string, moduleOptions: object = { module: "nodenext" }): Promise<string> {
    await write("app.ts", text);
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, types: [] };
    const compilerOptions = { target: "esnext", noEmit: true, ...strict, ...moduleOptions };
    await write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["app.ts"] }));
    // The compiler writes its errors to stdout.
    return run(installed(".bin/tsc"), ["-p", "."], { cwd: app }).then(
      () => "",
      (error: { stdout: string }) => error.stdout,
    );
  }

  /** Runs a module of the app, and parses what it prints. */
  async function execute(text: string, name = "app.js"): Promise<unknown> {
    await write(name, text);
    return JSON.parse((await run(process.execPath, [name], { cwd: app })).stdout);
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
    for (const name of [
      "KycChange",
      "RecordDetails",
      "RecordRow",
      "RecordChangeEvent",
      "CurrentPerson",
      "AuditEntry",
      "WebhookDelivery",
    ]) {
      expect(declarations).toMatch(new RegExp(`^export type .*\\b${name}\\b`, "m"));
    }
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

describe.each(["@trpc/client", "trpc-client-oldest", "trpc-client-newest"])("an app with %s", (client) => {
  let app: Awaited<ReturnType<typeof createApp>>;
  beforeAll(async () => {
    app = await createApp(client);
  });

  const moduleOptions = [{ module: "nodenext" }, { module: "esnext", moduleResolution: "bundler" }];
  it.each(["typed-client", "persons", "subscriptions"])(
    "type-checks the examples of docs/apps/%s.md",
    async (name) => {
      const samples = await samplesOf(`docs/apps/${name}.md`);
      for (const options of moduleOptions) expect(await app.compile(samples, options)).toBe("");
    },
  );

  it("type-checks the example of the README", async () => {
    expect(await app.compile(await samplesOf("packages/trpc-client/README.md"))).toBe("");
  });

  it("runs the examples of the first call and of the pages of changes", async () => {
    const service = await startTestService();
    const onService = (text: string) =>
      text
        .replace("http://127.0.0.1:3000", service.url)
        .replace("cb_test_DemoPlatformOne0000000003IZXaY", service.caller().key);
    const client = onService(await samplesOf("docs/apps/typed-client.md"));
    const changes = onService(await samplesOf("docs/apps/subscriptions.md"));
    const submission = JSON.stringify(newSubmission());
    const calls = `const statuses: (string | null)[] = [];
const { lastEventId } = await cardbridge.kyc.listChanges.query();
const replayed = [await submit(${submission}, "1"), await submit(${submission}, "1")];
const position = await eachChange(lastEventId, (status) => statuses.push(status));
const found = [await activeCards("alice"), await activeCards("nobody"), (await cardsWithin("alice", 20_000)).total];
console.log(JSON.stringify([replayed, statuses, position !== lastEventId, found.map((each) => Array.isArray(each) ? each.length : each)]));`;
    const done = await app
      .execute(`${client}${withoutClient(changes)}${calls}`, "typed.ts")
      .finally(() => service.stop());
    expect(done).toEqual([[false, true], ["PENDING", "APPROVED"], true, [1, 0, 4]]);
  });

  it("type-checks calls without an input, and the names of types", async () => {
    const text = `import { createClient, type AuditEntry, type KycChange, type RecordDetails } from "@cardbridge/trpc-client";
const { audit, kyc, platforms, records } = createClient({ url: "http://127.0.0.1:3000", apiKey: "cb_int_" });
export const { changes }: { changes: KycChange[] } = await kyc.listChanges.query();
export const { entries }: { entries: AuditEntry[] } = await audit.list.query({ platformId: "plt_1" });
export const record: RecordDetails = await records.get.query({ kycRecordId: "kyc_1" });
export const { more } = await platforms.list.query();
`;
    expect(await app.compile(text)).toBe("");
  });

  it("does not compile with wrong calls", async () => {
    const found = await app.compile(`import { createClient, problemOf } from "@cardbridge/trpc-client";
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
`);
    const lines = [...found.matchAll(/^app\.ts\((\d+),/gm)];
    expect(lines.map(([, line]) => Number(line))).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it("has the types of tRPC's own clients", async () => {
    const text = `import type { AppRouter } from "@cardbridge/trpc-client";
import type { TRPCClient } from "@trpc/client";
export const total = async (client: TRPCClient<AppRouter>): Promise<number> =>
  (await client.cards.list.query({ memberId: "alice" })).total + (await client.webhooks.list.query()).endpoints.length;
`;
    // The declarations of @trpc/client need those of Node and of ws.
    expect(await app.compile(text, { module: "nodenext", skipLibCheck: true })).toBe("");
  });

  it("calls a running service: queries, a mutation, a problem and a subscription", async () => {
    const service = await startTestService();
    const options = JSON.stringify({ url: service.url, apiKey: service.caller().key });
    const done = await app
      .execute(
        `import { createClient, problemOf, responseInfo } from "@cardbridge/trpc-client";
const { cards, kyc, webhooks } = createClient(${options});
const [{ total }, { endpoints }] = await Promise.all([cards.list.query({ memberId: "alice" }), webhooks.list.query()]);
const error = await cards.list.query({ memberId: "nobody" }).catch((error) => error);
const types = [];
let submitted;
await new Promise((resolve, reject) => {
  const subscription = kyc.changes.subscribe(undefined, {
    async onData({ data }) {
      types.push(data.type);
      if (types.length === 1) submitted = await kyc.submit.mutate(${JSON.stringify(newSubmission())});
      if (types.length === 3) resolve(subscription.unsubscribe());
    },
    onError: reject,
  });
});
const { replayed } = responseInfo(submitted);
console.log(JSON.stringify([total, endpoints, problemOf(error).code, types, submitted.status, replayed]));`,
      )
      .finally(() => service.stop());
    const types = ["subscription.started", "kyc.updated", "kyc.updated"];
    expect(done).toEqual([4, [], "USER_NOT_FOUND", types, "APPROVED", false]);
  });
});
