import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "@cardbridge/sandbox";
import { openDatabase, verifyAudit } from "@cardbridge/store";
import {
  createTestDatabase,
  type DatabaseProxy,
  startDatabaseProxy,
  type TestServer,
} from "@cardbridge/store/testing";
import { Client } from "pg";
import { encryptionKeys } from "../../src/composition/encryption-keys.ts";
import { sandboxCredentials, sandboxEventsSecret } from "../../src/config/development-secrets.ts";
import { readEnv } from "../../src/config/env.ts";
import { type ServiceProcess, startService } from "../support/service-process.ts";
import { witnessChanges } from "./ledgers.ts";
import { makeAdminKey, makePlatform } from "./platforms.ts";
import { type ProviderProxy, startProviderProxy } from "./provider-proxy.ts";
import { markedSubmission, type Submission } from "./submission.ts";
import { insist, submit, type Told } from "./told.ts";

/** One process of the service, with a line of its own to the database and to the provider. */
export interface Service extends ServiceProcess {
  database: DatabaseProxy;
  provider: ProviderProxy;
}

interface ServiceOptions {
  failPoint?: string | undefined;
  run?: "all" | "api" | "worker";
  env?: Record<string, string>;
  /** Prepares the line to the provider before the process starts. */
  prepare?: (provider: ProviderProxy) => void;
}

interface SubmitOptions {
  /** The first platform's unless told otherwise. */
  key?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
  patienceMs?: number;
}

/** Where an episode plays: a database, a provider, processes of the service, and clients who keep a ledger. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

/**
 * Where the test moves the time on, no answer is late on a slow machine, and no lease ends while its process works.
 * Otherwise the waits are as long as they are, and the limits short.
 */
const limits = {
  moved: {
    PROVIDER_KYC_TIMEOUT_MS: "30000",
    PROVIDER_READ_TIMEOUT_MS: "30000",
    LEASE_MARGIN_MS: "30000",
  },
  real: { PROVIDER_KYC_TIMEOUT_MS: "3000", LEASE_MARGIN_MS: "1500" },
};
const longestLeaseMs = 60_000;
export type Time = keyof typeof limits;

/** For calls that the provider never answers: only their deadline ends them. */
export const impatient = { PROVIDER_KYC_TIMEOUT_MS: "1500" };

const production = {
  SHUTDOWN_GRACE_MS: "5000",
  METRICS_PORT: "0",
  // Many processes share one server.
  DATABASE_CONNECTIONS: "3",
  LOG_LEVEL: "info",
  PROVIDER_EVENTS_SECRETS: sandboxEventsSecret,
};

/** Sets a stage up; `close` ends every process of it. */
export async function openStage(postgres: TestServer, random: () => number, time: Time = "moved") {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-stage-"));
  const database = await createTestDatabase(postgres);
  const platforms = ["plt_first", "plt_second"] as const;
  const [first, second] = platforms;
  const keys = {
    first: await makePlatform(database.ownerUrl, first),
    second: await makePlatform(database.ownerUrl, second),
    admin: await makeAdminKey(database.ownerUrl),
  };
  const admin = new Client({ connectionString: database.adminUrl });
  await admin.connect();
  await witnessChanges(admin);
  const sandbox = await startSandbox({ dataFolder: folder, ...sandboxCredentials });
  const services: Service[] = [];
  const told: Told[] = [];
  const submissions: Submission[] = [];
  let survivor: Promise<Service> | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function service({
    failPoint,
    run = "api",
    env = {},
    prepare,
  }: ServiceOptions = {}): Promise<Service> {
    const toDatabase = await startDatabaseProxy(database.serviceUrl);
    const toProvider = await startProviderProxy(sandbox.url);
    prepare?.(toProvider);
    const started = await startService({
      ...production,
      ...limits[time],
      RUN: run,
      DATABASE_URL: toDatabase.url,
      PROVIDER_URL: toProvider.url,
      PROVIDER_CLIENT_ID: sandboxCredentials.clientId,
      PROVIDER_CLIENT_SECRET: sandboxCredentials.clientSecret,
      FILES_DIR: join(folder, "files"),
      FAILPOINT: failPoint ?? "",
      ...env,
    });
    const made = { ...started, database: toDatabase, provider: toProvider };
    services.push(made);
    return made;
  }

  /** One query after the other, on one connection of a superuser. */
  function rows<T>(query: string, values: unknown[] = []): Promise<T[]> {
    const answer = turn.then(() => admin.query(query, values));
    turn = answer.catch(() => {});
    return answer.then(({ rows }) => rows as T[]);
  }

  /** Ends the leases that were given until a moment; only for processes that are dead or frozen. */
  async function endLeases(givenUntil = "infinity"): Promise<void> {
    await rows(
      `update kyc_records set lease_until = now(), due_at = now()
       where lease_until <= $1::timestamptz + interval '${longestLeaseMs} ms'`,
      [givenUntil],
    );
  }

  /** A process that takes over at once what killed processes left. */
  async function startSurvivor(): Promise<Service> {
    const others = [...services];
    const [started] = await rows<{ at: string }>("select clock_timestamp()::text as at");
    const made = await service({ run: "all" });
    const isLeft = others.some(({ child }) => child.signalCode === "SIGKILL") && others.every(hasEnded);
    if (time === "moved" && isLeft) await endLeases(started?.at);
    return made;
  }

  return {
    keys,
    random,
    services,
    told,
    submissions,
    service,
    /** A process that nothing happens to, with a worker; started when it is first asked for. */
    survivor(): Promise<Service> {
      survivor ??= startSurvivor();
      return survivor;
    },
    /** A new user's submission. */
    submission(tag = "approved"): Submission {
      const made = markedSubmission(randomBytes(6).toString("hex"), tag);
      submissions.push(made);
      return made;
    },
    /** One POST of a client, entered in the clients' ledger. */
    async submit({ url }: Service, submission: Submission, options: SubmitOptions = {}): Promise<Told> {
      const answer = await submit(submission, { url, key: keys.first, ...options });
      told.push(answer);
      return answer;
    },
    /** What a client does who was not acknowledged: the same again, at a process that is well. */
    async insist(submission: Submission, options: SubmitOptions = {}): Promise<Told> {
      const { url } = await this.survivor();
      return insist(async () => this.submit({ url } as Service, submission, options));
    },
    rows,
    endLeases,
    /** Attempts that wait, and that nobody makes now, are due at once where the test moves the time on. */
    async endWaits(): Promise<void> {
      if (time === "real") return;
      await rows(
        `update kyc_records set due_at = now()
         where settlement = 'unsettled' and lease_until is null and due_at > now()`,
      );
    },
    /** What is wrong with the audit of every platform. */
    async auditProblems(): Promise<string[]> {
      const store = openDatabase({ url: database.serviceUrl, maxConnections: 1, onError: () => {} });
      const options = { keys: encryptionKeys(readEnv({})) };
      const reports = await Promise.all(platforms.map((id) => verifyAudit(store, id, options)));
      await store.close();
      return reports.flatMap(({ problems }) => problems);
    },
    async ledger() {
      return (await (await fetch(`${sandbox.url}/_ledger`)).json()) as ProviderLedger;
    },
    sandboxUrl: sandbox.url,
    async close(): Promise<void> {
      for (const one of services) if (!hasEnded(one)) one.child.kill("SIGKILL");
      await Promise.all(services.flatMap(({ database, provider }) => [database.close(), provider.close()]));
      await sandbox.close();
      await admin.end();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const hasEnded = ({ child }: Service) => child.exitCode !== null || child.signalCode !== null;

/** What the provider executed, attempt by attempt. */
export interface ProviderLedger {
  executions: { reference: string; userReference: string; status: string; request: unknown }[];
  attempts: { reference: string; outcome: string; at: string }[];
  refusals: { reference: string; userReference: string; request: unknown }[];
}
