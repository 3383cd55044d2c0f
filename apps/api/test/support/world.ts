import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleSubmission } from "@cardbridge/operations";
import { type SandboxOptions, startSandbox } from "@cardbridge/sandbox";
import { createTestDatabase } from "@cardbridge/store/testing";
import { inject } from "vitest";
import { demoKeys } from "../../src/api-keys/demo-keys.ts";
import { createContainer } from "../../src/composition/container.ts";
import { encryptionKeys } from "../../src/composition/encryption-keys.ts";
import { openBlobs } from "../../src/composition/open-blobs.ts";
import { seedDatabase, seedSandbox } from "../../src/composition/seed.ts";
import { sandboxCredentials, sandboxEventsSecret } from "../../src/config/development-secrets.ts";
import { readEnv } from "../../src/config/env.ts";
import { createLog } from "../../src/observability/log.ts";
import { serve } from "../../src/server/serve.ts";
import { docsScript } from "./docs-script.ts";
import { unheld } from "./unheld.ts";

interface LedgerEntry {
  reference: string;
  userReference: string;
  request: unknown;
  /** What the provider saw of the files. */
  files: { field: string; status: number; size: number; sha256: string; contentType: string }[];
}

export interface Ledger {
  executions: LedgerEntry[];
  attempts: { reference: string; outcome: string }[];
  refusals: LedgerEntry[];
}

interface Options {
  /** In place of the sandbox's address. */
  providerUrl?: string;
  /** In place of the database's address. */
  databaseUrl?: string;
  /** Whether the sandbox tells of its decisions by events. */
  events?: boolean;
  /** What the sandbox goes by in place of this machine's clock and timers. */
  sandboxClock?: Pick<SandboxOptions, "now" | "startTimer">;
  /** Further variables of the environment, such as PROVIDER_READ_TIMEOUT_MS. */
  env?: Record<string, string>;
  /** Variables of the environment that were others when the database was first used. */
  firstUsedWith?: Record<string, string>;
  /** What to do to the database before the service uses it. */
  prepare?(adminUrl: string): Promise<void>;
}

/** The whole service over real parts: a database of its own, the sandbox over HTTP, a listening server. */
export async function startWorld({
  providerUrl,
  databaseUrl,
  events: tells = true,
  sandboxClock = {},
  env = {},
  firstUsedWith = {},
  prepare = async () => {},
}: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-world-"));
  const database = await createTestDatabase(inject("postgres"));
  // Listens before anything else is there, because the sandbox has to know where its events go.
  let container: ReturnType<typeof createContainer> | undefined;
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const underWay = new Set<unknown>();
  const server = await serve(
    (request, node) => {
      const answer = container?.fetch(request, node) ?? new Response(null, { status: 503 });
      const work = Promise.resolve(answer).finally(() => underWay.delete(work));
      underWay.add(work);
      return work;
    },
    { host: "127.0.0.1", port: 0 },
    { onRefused: log.refused },
  );
  const events = { url: `${server.url}/provider/events`, secret: sandboxEventsSecret };
  const sandbox = await startSandbox({
    dataFolder: folder,
    ...sandboxCredentials,
    events: tells ? events : undefined,
    fetchUnder: [server.url],
    ...sandboxClock,
  });
  const settings = readEnv({ ...unheld, RUN: "api", FILES_DIR: join(folder, "files"), ...env });
  await seedDatabase(database.ownerUrl, encryptionKeys(readEnv({ ...env, ...firstUsedWith })));
  await seedSandbox(sandbox.url);
  await prepare(database.adminUrl);
  const made = createContainer({
    env: settings,
    log,
    database: { serviceUrl: databaseUrl ?? database.serviceUrl, embedded: true, stop: async () => {} },
    provider: {
      url: providerUrl ?? sandbox.url,
      ...sandboxCredentials,
      eventsSecrets: [sandboxEventsSecret],
      sandbox: true,
      stop: async () => {},
    },
    blobs: await openBlobs(settings),
    publicUrl: server.url,
    notes: "",
    docsScript,
  });
  container = made;
  made.work();

  return {
    url: server.url,
    metrics: made.metrics,
    adminUrl: database.adminUrl,
    /** Where sealed files are kept. */
    filesFolder: join(folder, "files"),
    serviceUrl: database.serviceUrl,
    /** The environment of another program that works with the same database and provider. */
    env: {
      FILES_DIR: join(folder, "files"),
      ...env,
      DATABASE_URL: database.serviceUrl,
      PROVIDER_URL: sandbox.url,
      PROVIDER_CLIENT_ID: sandboxCredentials.clientId,
      PROVIDER_CLIENT_SECRET: sandboxCredentials.clientSecret,
    },
    /** Waits until no request is being worked on, also of callers who have left. */
    idle: () => Promise.allSettled(underWay),
    /** What the service logged, line by line. */
    lines,
    /** A caller of one platform, for the functions of call.ts. */
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

/** A submission of a user whom no other test knows; `tag` chooses the sandbox's scenario. */
export function newSubmission(tag = "approved", memberId = `m-${randomBytes(6).toString("hex")}`) {
  const name = randomBytes(6).toString("hex");
  return { ...exampleSubmission.input, memberId, email: `${name}+${tag}@example.com` };
}
