import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SandboxOptions, startSandbox } from "@cardbridge/sandbox";
import { exampleSubmission } from "@cardbridge/service";
import type { KeySet } from "@cardbridge/service/database";
import { createTestDatabase, type TestDatabase } from "@cardbridge/service/database/testing";
import { inject } from "vitest";
import { demoKeys } from "../../src/admission/api-key.ts";
import { composeService, type TestOverrides } from "../../src/boot/compose.ts";
import { seedDatabase, seedSandbox } from "../../src/boot/development/seed.ts";
import { openBlobs } from "../../src/boot/files.ts";
import { encryptionKeys } from "../../src/boot/options.ts";
import { sandboxCredentials, sandboxEventsSecret } from "../../src/config/development-secrets.ts";
import { readEnv } from "../../src/config/env.ts";
import type { Site } from "../../src/http/docs/site.ts";
import { headersOf } from "../../src/server/default-headers.ts";
import { serve } from "../../src/server/serve.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { openTracing } from "../../src/telemetry/tracing.ts";
import { createManualClock } from "./manual-clock.ts";
import { serviceSettings } from "./service-settings.ts";
import { smallSite } from "./small-site.ts";

interface LedgerEntry {
  reference: string;
  userReference: string;
  request: unknown;
  /** The files that the provider fetched. */
  files: { field: string; status: number; size: number; sha256: string; contentType: string }[];
}

export interface Ledger {
  executions: LedgerEntry[];
  attempts: { reference: string; outcome: string }[];
  refusals: LedgerEntry[];
}

interface Options {
  /** Replaces the sandbox's URL, or makes the URL of a proxy from it. */
  providerUrl?: string | ((sandboxUrl: string) => string | Promise<string>);
  /** Replaces the database's URL, or makes the URL of a proxy from it. */
  databaseUrl?: string | ((serviceUrl: string) => string | Promise<string>);
  /** Whether the sandbox sends events. */
  events?: boolean;
  /** The sandbox's clock and timers. By default the clock stands still, so a review in progress stays as it is. */
  sandboxClock?: Pick<SandboxOptions, "now" | "startTimer">;
  /** Additional environment variables, such as PROVIDER_READ_TIMEOUT_MS. */
  env?: Record<string, string>;
  /** Different environment variables for the first use of the database. */
  firstUsedWith?: Record<string, string>;
  /** Overrides of the service's components, such as failing ports. */
  overrides?: TestOverrides;
  /** Whether the service follows the operators' pauses. The default is true. */
  followsPauses?: boolean;
  /** Opens the documentation. The default has one page and no search index. */
  openDocs?(publicUrl: string): Site;
  /** Prepares the database before the service uses it. */
  prepare?(adminUrl: string): Promise<void>;
}

/** Starts the whole service with real components: its own database, the sandbox over HTTP, and a listening server. */
export async function startTestService({
  providerUrl = (sandboxUrl) => sandboxUrl,
  databaseUrl = (serviceUrl) => serviceUrl,
  events: hasEvents = true,
  sandboxClock = createManualClock(),
  env = {},
  firstUsedWith = {},
  overrides = {},
  followsPauses = true,
  openDocs = () => smallSite,
  prepare = async () => {},
}: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-world-"));
  const database = await createSeededDatabase({ ...env, ...firstUsedWith });
  // Listens first, because the sandbox needs the URL for its events.
  let container: ReturnType<typeof composeService> | undefined;
  const lines: string[] = [];
  const log = createLog(env.LOG_LEVEL ?? "info", { write: (line) => void lines.push(line) });
  const active = new Set<unknown>();
  const server = await serve(
    (request, node) => {
      const answer = container?.fetch(request, node) ?? new Response(null, { status: 503 });
      const work = Promise.resolve(answer).finally(() => active.delete(work));
      active.add(work);
      return work;
    },
    { host: "127.0.0.1", port: 0 },
    {
      onRefused: log.refused,
      gates: async (head) => container?.gates(head),
      headers: headersOf(env.ENVIRONMENT === "live" ? "live" : "test"),
    },
  );
  const events = { url: `${server.url}/provider/events`, secret: sandboxEventsSecret };
  const sandbox = await startSandbox({
    dataFolder: folder,
    ...sandboxCredentials,
    events: hasEvents ? events : undefined,
    fetchUnder: [server.url],
    ...sandboxClock,
  });
  const settings = readEnv({
    ...serviceSettings,
    RUN: "api",
    FILES_DIR: join(folder, "files"),
    // The machine is busy with other tests, and the default refuses a burst that waits for long.
    REQUESTS_AT_ONCE: "512",
    ...env,
  });
  await seedSandbox(sandbox.url);
  await prepare(database.adminUrl);
  const made = composeService({
    env: settings,
    log,
    database: {
      serviceUrl: await through(databaseUrl, database.serviceUrl),
      embedded: true,
      stop: async () => {},
    },
    provider: {
      kind: "cardbridge",
      url: await through(providerUrl, sandbox.url),
      ...sandboxCredentials,
      eventsSecrets: [sandboxEventsSecret],
      sandbox: true,
      stop: async () => {},
    },
    blobs: await openBlobs(settings),
    publicUrl: server.url,
    site: openDocs(server.url),
    overrides,
    tracing: await openTracing(settings, log),
  });
  container = made;
  // Tests of outages start without a database.
  if (followsPauses) await made.followPauses().catch(() => {});
  made.work();

  return {
    url: server.url,
    metrics: made.metrics,
    adminUrl: database.adminUrl,
    ownerUrl: database.ownerUrl,
    /** The folder of encrypted files. */
    filesFolder: join(folder, "files"),
    serviceUrl: database.serviceUrl,
    /** The environment for another program with the same database and provider. */
    env: {
      FILES_DIR: join(folder, "files"),
      ...env,
      DATABASE_URL: database.serviceUrl,
      PROVIDER_URL: sandbox.url,
      PROVIDER_CLIENT_ID: sandboxCredentials.clientId,
      PROVIDER_CLIENT_SECRET: sandboxCredentials.clientSecret,
    },
    /** Waits until no request is active, including those of disconnected callers. */
    idle: () => Promise.allSettled(active),
    /** The lines of the service's log. */
    lines,
    /** A caller of a platform, for the functions of call.ts. */
    caller: (key: string = demoKeys.first) => ({
      key,
      fetch: (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init),
    }),
    async ledger(): Promise<Ledger> {
      return (await (await fetch(`${sandbox.url}/_ledger`)).json()) as Ledger;
    },
    async stop() {
      await server.close(0);
      await made.close();
      await sandbox.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Databases with the demo data, by the secrets of their keys. Each is made once in a worker, and copied. */
const seeded = new Map<string, Promise<TestDatabase>>();

async function createSeededDatabase(env: Record<string, string>): Promise<TestDatabase> {
  const secrets = JSON.stringify([env.KEY_RING, env.FINGERPRINT_KEY]);
  if (!seeded.has(secrets)) seeded.set(secrets, seedNew(encryptionKeys(readEnv(env))));
  return createTestDatabase(inject("postgres"), { copyOf: await seeded.get(secrets) });
}

async function seedNew(keys: KeySet): Promise<TestDatabase> {
  const database = await createTestDatabase(inject("postgres"));
  await seedDatabase(database.ownerUrl, keys);
  return database;
}

const through = async (given: NonNullable<Options["providerUrl"]>, url: string) =>
  typeof given === "string" ? given : given(url);

/** Creates a submission of a new user. `tag` selects the sandbox's scenario. */
export function newSubmission(tag = "approved", memberId = `m-${randomBytes(6).toString("hex")}`) {
  const name = randomBytes(6).toString("hex");
  return { ...exampleSubmission.input, memberId, email: `${name}+${tag}@example.com` };
}
