import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openDatabase } from "@cardbridge/service/database";
import {
  createTestDatabase,
  prepareTestServer,
  type TestDatabase,
} from "@cardbridge/service/database/testing";
import { expect, it, onTestFinished } from "vitest";
import { generateWebhookSecret } from "../../src/boot/ports.ts";
import { sandboxCredentials, sandboxEventsSecret } from "../../src/config/development-secrets.ts";
import { markedSubmission } from "../deep/faults/clients/marked-submission.ts";
import { isAcknowledged, type Reply, submit } from "../deep/faults/clients/submit.ts";
import { type AdminConnection, connectAsAdmin } from "../deep/faults/cluster/admin-connection.ts";
import { readProviderLedger } from "../deep/faults/cluster/provider-ledger.ts";
import { createPlatform } from "../deep/faults/cluster/tenants.ts";
import { createEndpoint } from "../deep/faults/cluster/webhook-endpoint.ts";
import { duplicated } from "../deep/faults/invariants/delivery.ts";
import { readRecords } from "../deep/faults/invariants/records.ts";
import { undecided } from "../deep/faults/invariants/resolution.ts";
import { wrongDeliveries } from "../deep/faults/invariants/webhooks.ts";
import { randomFrom } from "../deep/faults/random.ts";
import { type Arrival, type Receiver, startReceiver } from "../deep/faults/receiver/receiver.ts";
import { writeReport } from "../deep/faults/write-report.ts";
import { coveredMs, type Span } from "../deep/machines/load.ts";
import { buildLastRelease } from "../deep/machines/old-build.ts";
import { reasonNotToRun } from "../deep/machines/programs.ts";
import { makeServerFolder } from "../deep/machines/servers/account.ts";
import { type Address, startAddress } from "../deep/machines/servers/address.ts";
import { type Archive, startArchive } from "../deep/machines/servers/archive.ts";
import { type Disk, makeDisk } from "../deep/machines/servers/disk.ts";
import { forever, type Kept, keep } from "../deep/machines/servers/kept.ts";
import { promote, waitForStandby } from "../deep/machines/servers/pair.ts";
import { type Pooler, startPooler } from "../deep/machines/servers/pooler.ts";
import { createPostgres, type PostgresServer, serverAt } from "../deep/machines/servers/postgres.ts";
import { startHaproxy } from "../deep/ops/haproxy.ts";
import { runCli, runToEnd, startService } from "../support/service-process.ts";
import { unusedPort } from "../support/unused-port.ts";
import { endWithTest, runVariables } from "../support/with-test.ts";

/*
 * Clients send submissions while everything fails, and four ledgers are compared afterwards: what the clients were told,
 * what the database holds, what the provider executed, and what the receivers of webhooks got.
 *
 *   clients of two platforms ── HAProxy ── two APIs ──┬── PgBouncer ── an address ── a primary and its synchronous standby
 *   their webhook receivers ────────────── two workers ──┴── the provider
 *
 * `npm run test:nightly -- faults --submissions 100000` sets how many there are at least, FAULTS_SEED the order of the
 * faults, and FAULTS_ONLY a pattern of their titles. A fault is an entry of `faults`.
 */

const submissions = Number(process.env.FAULTS_SUBMISSIONS ?? 10_000);
const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 1e6));
const only = new RegExp(process.env.FAULTS_ONLY ?? "");
const random = randomFrom(seed);
const clientCount = 24;
/** An attempt owns its record for the time of a call to the provider and a margin; a freeze is longer. */
const [providerMs, marginMs, freezeMs] = [3_000, 1_500, 8_000];

/** What the provider does with a submission, by the tag of its e-mail address, and how often. All end in a decision. */
const scenarios: readonly [tag: string, percent: number][] = [
  ["approved", 60],
  ["usual", 15],
  ["rejected", 8],
  ["refused", 5],
  ["duplicate", 3],
  ["reorder", 3],
  ["error-500", 2],
  ["garbage", 2],
  ["timeout-before-effect", 1],
  ["timeout-after-effect", 1],
];

/** One of several at random. */
const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

const tags = scenarios.flatMap(([tag, percent]) => Array<string>(percent).fill(tag));

// The world

interface Platform {
  id: string;
  key: string;
  receiver: Receiver;
}

interface World {
  platforms: Platform[];
  /** The address that clients call: HAProxy, as operators get it. */
  url: string;
  apis: Kept[];
  workers: Kept[];
  provider: Kept;
  pooler: Pooler;
  address: Address;
  primary: PostgresServer;
  standby: PostgresServer | undefined;
  /** Where the first primary has its data; the reason if there is no such disk. */
  disk: Disk | string;
  archive: Archive | undefined;
  database: TestDatabase;
  admin: AdminConnection;
  /** The environment of the programs. */
  environment: Record<string, string>;
  /** The folder of the programs; undefined for this version. */
  build: string | undefined;
  restore: Restore | undefined;
}

/** The loss of the database, which was restored to an earlier moment. */
interface Restore {
  /** The moment by the database's clock, and a time just before it by that of the clients. */
  moment: string;
  momentAt: number;
  lostAt: number;
  /** How much each receiver had got before the loss. */
  arrivals: number[];
}

/** Starts the last release on a new database, with everything around it. */
async function startWorld(release: string): Promise<World> {
  const disk = await makeDisk(3_000);
  const primary = await createPostgres(undefined, typeof disk === "string" ? undefined : disk);
  await prepareTestServer(serverAt(primary.port), async ({ ownerUrl, serviceUrl }) => {
    const env = { MIGRATION_DATABASE_URL: ownerUrl, DATABASE_URL: serviceUrl };
    await runToEnd("migrate.js", env, { folder: release });
  });
  const standby = await createPostgres(primary);
  await waitForStandby(primary);
  const address = await startAddress(primary);
  const pooler = await startPooler(serverAt(address.port));
  const database = await createTestDatabase(pooler.server);
  const folder = await makeServerFolder();
  const [apiPort, otherPort, providerPort] = [await unusedPort(), await unusedPort(), await unusedPort()];
  const provider = await startProvider(join(folder, "provider"), providerPort, apiPort);
  const environment = {
    DATABASE_URL: database.serviceUrl,
    DATABASE_PREPARED_STATEMENTS: "false",
    DATABASE_CONNECTIONS: "10",
    FILES_DIR: join(folder, "files"),
    METRICS_PORT: "0",
    ...{ PROVIDER_URL: provider.url, PROVIDER_EVENTS_SECRETS: sandboxEventsSecret },
    ...{ PROVIDER_CLIENT_ID: sandboxCredentials.clientId },
    ...{ PROVIDER_CLIENT_SECRET: sandboxCredentials.clientSecret },
    ...{ PROVIDER_KYC_TIMEOUT_MS: String(providerMs), LEASE_MARGIN_MS: String(marginMs) },
    ...{ RATE_LIMIT_READS: "unlimited", RATE_LIMIT_WRITES: "unlimited", RATE_LIMIT_SUBMISSIONS: "unlimited" },
  };
  const admin = connectAsAdmin(database.adminUrl);
  const platforms = await createPlatforms(admin, database, folder);
  const world: World = {
    ...{ platforms, url: "", apis: [], workers: [], provider, pooler, address, primary, standby, disk },
    ...{ database, admin, environment },
    ...{ build: release, archive: undefined, restore: undefined },
  };
  for (const port of [apiPort, otherPort]) world.apis.push(await startApi(world, port));
  // A few keys make all calls, which wait rather than being refused.
  world.url = (await startHaproxy(world.apis, { KEY_CALLS: "1000000", API_QUEUE: "5s" })).url;
  for (let count = 0; count < 2; count += 1) world.workers.push(await startWorker(world));
  return world;
}

const startApi = (world: World, port: number) =>
  keep(`http://127.0.0.1:${port}`, () =>
    startService({ ...world.environment, RUN: "api", PORT: String(port) }, { folder: world.build }),
  );

const startWorker = (world: World) =>
  keep("", () => startService({ ...world.environment, RUN: "worker" }, { folder: world.build }));

/** The sandbox as a process. Its journal survives a kill. It sends its events to the first API. */
function startProvider(folder: string, port: number, apiPort: number): Promise<Kept> {
  const program = fileURLToPath(new URL("../../../sandbox/dist/main.js", import.meta.url));
  return keep(`http://127.0.0.1:${port}`, async () => {
    const env = {
      ...runVariables(),
      SANDBOX_PORT: String(port),
      SANDBOX_DATA_DIR: folder,
      SANDBOX_EVENTS_URL: `http://127.0.0.1:${apiPort}/provider/events`,
      SANDBOX_EVENTS_SECRET: sandboxEventsSecret,
    };
    const child = spawn(process.execPath, [program], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    endWithTest(child);
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    return { child };
  });
}

async function createPlatforms(
  admin: AdminConnection,
  { serviceUrl }: TestDatabase,
  folder: string,
): Promise<Platform[]> {
  const platforms: Platform[] = [];
  for (const id of ["plt_first", "plt_second"]) {
    const key = await createPlatform(admin, id);
    const secret = generateWebhookSecret();
    const receiver = await startReceiver(join(folder, `${id}.jsonl`), secret);
    onTestFinished(receiver.close);
    await receiver.restart({ dieBefore: 0.001, dieAfter: 0.001, refuse: 0.005 });
    const own = { url: serviceUrl, maxConnections: 1, preparedStatements: false, onError: () => {} };
    await createEndpoint(openDatabase(own), id, { url: receiver.url, secret });
    platforms.push({ id, key, receiver });
  }
  return platforms;
}

// The clients, and their ledger

/** One submission of a client, and what the client was told about it. */
interface Told {
  submission: { mark: string; tag: string };
  platform: Platform;
  idempotencyKey: string | undefined;
  kycRecordId: string | undefined;
  toldAt: number;
  /** The id that a restored database had forgotten. */
  formerId?: string;
}

type Clients = ReturnType<typeof startClients>;

/** Starts clients. Each sends a submission to one of the APIs until it is acknowledged, and some once more. */
function startClients(world: World) {
  const told: Told[] = [];
  const violations: string[] = [];
  /** From a call that failed until the next success of its client. */
  const failures: Span[] = [];
  const lastSuccess = Array<number>(clientCount).fill(0);
  /** The outcomes of all calls, each a status or why there was no response. */
  const outcomes = new Map<string, number>();
  let [acknowledged, failed, isEnough, isOver] = [0, 0, false, false];

  /** Sends once. Returns the reply, and notes what it says. */
  async function send(one: Told): Promise<Reply> {
    const { submission, platform, idempotencyKey } = one;
    const body = markedSubmission(submission.mark, submission.tag);
    const call = { url: world.url, key: platform.key, timeoutMs: 30_000 };
    const reply = await submit(body, idempotencyKey === undefined ? call : { ...call, idempotencyKey });
    const { status, failure = String(status) } = reply;
    outcomes.set(failure, (outcomes.get(failure) ?? 0) + 1);
    if (isAcknowledged(reply)) note(one, String(reply.body.kycRecordId));
    else if (status !== undefined && ![409, 429, 502, 503, 504].includes(status))
      violations.push(`A call got ${status}`);
    return reply;
  }

  function note(one: Told, kycRecordId: string): void {
    if (one.kycRecordId === undefined) {
      acknowledged += 1;
      Object.assign(one, { kycRecordId, toldAt: Date.now() });
    } else if (one.kycRecordId !== kycRecordId) {
      if (isForgettable(world, one) && one.formerId === undefined)
        Object.assign(one, { kycRecordId, formerId: one.kycRecordId });
      else violations.push(`I4: ${one.kycRecordId} became ${kycRecordId}`);
    }
  }

  /** Sends until it is acknowledged. */
  async function deliver(one: Told, client: number): Promise<void> {
    let failedAt: number | undefined;
    for (;;) {
      const startedAt = performance.now();
      const isDone = isAcknowledged(await send(one)) || isOver;
      if (isDone) {
        lastSuccess[client] = performance.now();
        if (failedAt !== undefined) failures.push({ startedAt: failedAt, endedAt: performance.now() });
        return;
      }
      failed += 1;
      failedAt ??= startedAt;
      await wait(100);
    }
  }

  async function runClient(client: number): Promise<void> {
    while (!(isEnough && told.length >= submissions) && !isOver) {
      const number = told.length;
      const mark = number.toString(16).padStart(12, "0");
      const one: Told = {
        submission: { mark, tag: oneOf(tags) },
        platform: world.platforms[number % world.platforms.length] as Platform,
        idempotencyKey: Math.random() < 0.5 ? `key-${mark}` : undefined,
        ...{ kycRecordId: undefined, toldAt: 0 },
      };
      told.push(one);
      await deliver(one, client);
      if (Math.random() < 0.05) await deliver(one, client);
    }
    lastSuccess[client] = Number.POSITIVE_INFINITY;
  }

  const done = Promise.all(Array.from({ length: clientCount }, (_, client) => runClient(client)));
  return {
    told,
    violations,
    outcomes,
    /** Ends the clients when there are enough submissions and each is acknowledged. */
    async finish(): Promise<void> {
      isEnough = true;
      await done;
    },
    /** Ends the clients at once. */
    abandon(): void {
      isOver = true;
    },
    acknowledged: () => acknowledged,
    /** Waits until this many submissions are acknowledged in all. */
    untilAcknowledged: (count: number) => forever(() => acknowledged >= count),
    /** Waits until this many more calls failed. */
    untilFailed(count: number): Promise<void> {
      const before = failed;
      return forever(() => failed - before >= count);
    },
    /** Waits until each client had a success from now on. */
    untilCalm(): Promise<void> {
      const from = performance.now();
      return forever(() => lastSuccess.every((at) => at > from));
    },
    /** How many calls failed so far, and the seconds without success of at least one client since a moment. */
    failed: () => failed,
    failedSeconds(from: number): number {
      const since = failures.map((one) => ({ ...one, startedAt: Math.max(one.startedAt, from) }));
      return coveredMs(since.filter(({ startedAt, endedAt }) => endedAt > startedAt)) / 1_000;
    },
    /** Sends submissions again, as platforms do after a restore. */
    async resend(all: readonly Told[]): Promise<void> {
      const queue = [...all];
      const work = async () => {
        for (let one = queue.pop(); one; one = queue.pop())
          while (!isAcknowledged(await send(one)) && !isOver) await wait(100);
      };
      await Promise.all(Array.from({ length: 4 }, work));
    },
  };
}

/** Whether a restored database may not know it: the client was told after the moment of the restore. */
const isForgettable = ({ restore }: World, { toldAt }: Told) =>
  restore !== undefined && toldAt >= restore.momentAt && toldAt <= restore.lostAt;

// The faults

interface Fault {
  title: string;
  /** How often it happens; once when absent, and then at its place in the list. */
  times?: number;
  /** A text that it returns stands in the report. */
  run(world: World, clients: Clients): Promise<unknown>;
}

const faults: Fault[] = [
  { title: "an API is killed", times: 3, run: ({ apis }) => oneOf(apis).end("SIGKILL") },
  { title: "a worker is killed", times: 3, run: ({ workers }) => oneOf(workers).end("SIGKILL") },
  {
    title: "an API freezes for longer than its leases",
    times: 2,
    run: ({ apis }) => oneOf(apis).freeze(freezeMs),
  },
  {
    title: "a worker freezes for longer than its leases",
    times: 2,
    run: ({ workers }) => oneOf(workers).freeze(freezeMs),
  },
  { title: "the provider is killed", times: 2, run: ({ provider }) => provider.end("SIGKILL") },
  {
    title: "the provider freezes for longer than a call",
    times: 2,
    run: ({ provider }) => provider.freeze(freezeMs),
  },
  {
    title: "a receiver of webhooks is killed",
    times: 2,
    run: async ({ platforms }) => oneOf(platforms).receiver.kill(),
  },
  {
    title: "PgBouncer is killed",
    times: 2,
    async run({ pooler }, clients) {
      await pooler.kill();
      await clients.untilFailed(12);
      await pooler.start();
    },
  },
  // From here on it is this version that has to survive.
  {
    title: "the last release is replaced by this version, process by process",
    async run(world) {
      const { ownerUrl, serviceUrl } = world.database;
      const env = { MIGRATION_DATABASE_URL: ownerUrl, DATABASE_URL: serviceUrl };
      const { code, output } = await runToEnd("migrate.js", {
        ...env,
        DATABASE_PREPARED_STATEMENTS: "false",
      });
      if (code !== 0) throw new Error(`The migration failed: ${output}`);
      world.build = undefined;
      for (const one of [...world.apis, ...world.workers]) await one.end("SIGTERM");
    },
  },
  {
    title: "the database's disk is full",
    async run({ disk, primary }, clients) {
      if (typeof disk === "string") return disk;
      await disk.fill();
      await clients.untilFailed(60);
      await disk.free();
      // A server that could not write its log has ended.
      await forever(async () => {
        if (!primary.isRunning()) await primary.start().catch(() => {});
        return primary.query("select").then(
          () => true,
          () => false,
        );
      });
    },
  },
  {
    title: "the connections of the database are cut again and again",
    async run({ primary }, clients) {
      let isEnough = false;
      const failed = clients.untilFailed(30).then(() => {
        isEnough = true;
      });
      while (!isEnough) {
        await primary.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'cardbridge_app'",
        );
        await wait(150);
      }
      await failed;
    },
  },
  {
    title: "the primary is killed, its standby is promoted",
    run: (world, clients) => failOver(world, clients, ({ primary }) => primary.kill()),
  },
  {
    title: "the primary freezes, its standby is promoted",
    run: (world, clients) =>
      failOver(world, clients, async ({ primary }) => {
        primary.freeze();
        await clients.untilFailed(24);
        // Behind PgBouncer, a former primary has to be stopped.
        await primary.kill();
      }),
  },
  {
    title: "the standby is killed, and commits wait until it is back",
    async run({ standby }, clients) {
      await standby?.kill();
      await clients.untilFailed(24);
      await standby?.start();
    },
  },
  {
    title: "the primary restarts to archive its log, and is backed up",
    async run(world) {
      world.archive = await startArchive(world.primary);
      await world.archive.backUp();
    },
  },
  { title: "the database is lost, and restored to an earlier moment", run: restore },
];

/** Promotes the standby when the primary is lost, and gives it a standby of its own. */
async function failOver(
  world: World,
  clients: Clients,
  lose: (world: World) => Promise<void>,
): Promise<void> {
  const { standby, address } = world;
  if (!standby) throw new Error("There is no standby.");
  await Promise.all([lose(world), clients.untilFailed(24)]);
  await promote(standby);
  await address.moveTo(standby);
  world.primary = standby;
  world.standby = await createPostgres(standby);
  await waitForStandby(standby);
}

/** Restores as docs/operate/restore-check.md says. Afterwards the platforms send again what they sent since the moment. */
async function restore(world: World, clients: Clients): Promise<string> {
  const { archive, primary, address, admin, environment, platforms } = world;
  if (!archive) throw new Error("There is no backup.");
  const momentAt = Date.now();
  const moment = await archive.moment();
  await clients.untilAcknowledged(clients.acknowledged() + 1_000);

  await Promise.all([primary, world.standby].map((server) => server?.kill()));
  const processes = [...world.apis, ...world.workers];
  await Promise.all(processes.map((one) => one.stop()));
  const arrivals = await Promise.all(
    platforms.map(async ({ receiver }) => (await receiver.arrivals()).length),
  );
  world.restore = { moment, momentAt, lostAt: Date.now(), arrivals };
  world.primary = await archive.restoreTo(moment);
  world.standby = undefined;
  const isPrimary = "select where not pg_is_in_recovery()";
  await forever(async () => (await world.primary.query(isPrimary)).length > 0);
  await address.moveTo(world.primary);
  // It has no standby yet, for which its commits would wait.
  await world.primary.configure("synchronous_standby_names", "");
  await admin.query("insert into restores default values");
  // From now on the provider has acted on everything that was sent before the loss.
  await wait(providerMs);
  const check = await runCli(["restore", "check", "--since", new Date(moment).toISOString()], environment);
  if (check.code !== 0) throw new Error(`The check failed: ${check.stdout}${check.stderr}`);
  await Promise.all(processes.map((one) => one.start()));

  const forgotten = clients.told.filter((one) => isForgettable(world, one));
  await clients.resend(forgotten);
  const anew = forgotten.filter(({ formerId }) => formerId !== undefined).length;
  return `${forgotten.length} submissions sent again, ${anew} of which nobody knew any more`;
}

/** The faults that happen several times in a random order, with the others at their places between them. */
function schedule(): Fault[] {
  const chosen = faults.filter(({ title }) => only.test(title));
  const often = chosen.flatMap((fault) => Array<Fault>(fault.times ?? 0).fill(fault));
  const shuffled = often.map((fault) => ({ fault, at: random() })).sort((one, other) => one.at - other.at);
  const single = chosen.filter(({ times }) => times === undefined);
  const between = Math.ceil(shuffled.length / (single.length + 1));
  return [...single, undefined].flatMap((fault, index) => [
    ...shuffled.slice(index * between, (index + 1) * between).map((one) => one.fault),
    ...(fault ? [fault] : []),
  ]);
}

// The ledgers

/** Waits until every record has its decision, and every change is delivered or a minute passed without one. */
async function settle({ admin, platforms }: World): Promise<void> {
  const count = async (from: string) =>
    Number((await admin.query<{ count: string }>(`select count(*) from ${from}`))[0]?.count);
  const decided = "resolution = 'refused' or status in ('APPROVED', 'REJECTED')";
  await forPatience(async () => {
    // A review is asked about again after half of its age, which can be minutes.
    await admin.query("update kyc_records set due_at = now() where due_at > now() and lease_until is null");
    return count(`kyc_records where (${decided}) is not true`);
  });
  for (const { receiver } of platforms) await receiver.restart();
  await forPatience(async () => {
    // The delays between attempts grow to hours.
    await admin.query(
      "update webhook_deliveries set due_at = now() where status = 'pending' and lease_until is null and due_at > now()",
    );
    return count("webhook_deliveries where status = 'pending'");
  });
}

/** Waits until a count is 0, or does not change for a minute. */
async function forPatience(count: () => Promise<number>): Promise<void> {
  let last = { count: -1, at: Date.now() };
  for (;;) {
    const now = await count();
    if (now === 0 || (now === last.count && Date.now() - last.at > 60_000)) return;
    if (now !== last.count) last = { count: now, at: Date.now() };
    await wait(500);
  }
}

/** Compares the ledgers. Returns each difference as a sentence that begins with the number of its promise. */
async function compare(world: World, clients: Clients): Promise<string[]> {
  const { query } = world.admin;
  const [records, ledger] = [await readRecords({ query }), await readProviderLedger(world.provider.url)];
  const stored = new Set(records.map(({ id }) => id));
  const told = new Set(clients.told.map(({ kycRecordId }) => kycRecordId));
  const executed = ledger.executions.map(({ reference }) => reference);
  const webhooks = world.platforms.map(async ({ id, receiver }, index) => {
    const arrivals = await keptArrivals(await receiver.arrivals(), query, world.restore, index);
    return wrongDeliveries({ query, platformId: id, since: "0", arrivals });
  });
  return [
    ...clients.violations,
    ...clients.told.flatMap(({ kycRecordId, submission, toldAt }) => {
      if (kycRecordId === undefined) return [`I3: ${submission.mark} was never acknowledged`];
      const at = new Date(toldAt).toISOString();
      return stored.has(kycRecordId) ? [] : [`I1: ${kycRecordId}, told at ${at}, is lost`];
    }),
    ...(told.size < clients.told.length ? ["I4: two submissions were told one id"] : []),
    ...records.filter(({ id }) => !told.has(id)).map(({ id }) => `I2: ${id} is the record of no submission`),
    ...executed.filter((id) => !stored.has(id)).map((id) => `I1: the provider executed ${id} alone`),
    ...duplicated({ records, ledger, allowed: { perUser: 1 } }),
    ...undecided({ records, ledger, allowed: { perUser: 1 } }),
    ...(await Promise.all(webhooks)).flat(),
  ];
}

/** The arrivals without those whose delivery the restored database had forgotten: it delivers such a change again. */
async function keptArrivals(
  arrivals: Arrival[],
  query: AdminConnection["query"],
  restored: Restore | undefined,
  index: number,
): Promise<Arrival[]> {
  if (!restored) return arrivals;
  const delivered = await query<{ change: string }>(
    "select record_id || '/' || sequence as change from webhook_deliveries where delivered_at <= $1",
    [restored.moment],
  );
  const known = new Set(delivered.map(({ change }) => change));
  return arrivals.filter(({ body }, place) => {
    const { kycRecordId, sequence } = JSON.parse(body).data;
    return place >= Number(restored.arrivals[index]) || known.has(`${kycRecordId}/${sequence}`);
  });
}

/** The history of records that a violation names, for the one who looks for its cause. */
async function describe({ admin }: World, violations: readonly string[]): Promise<string> {
  const ids = violations.flatMap((violation) => violation.match(/kyc_\w+/g) ?? []).slice(0, 10);
  const rows = await admin.query<{ about: object }>(
    `select jsonb_build_object('record', r.id, 'created', r.created_at, 'attempt', r.attempt, 'step', r.step, 'due',
       r.due_at, 'lease', r.lease_until, 'history', (select jsonb_agg(jsonb_build_array(h.observed_at, h.source,
         h.sub_status) order by h.id) from kyc_history h where h.record_id = r.id), 'attempts', (select
         jsonb_agg(jsonb_build_array(a.last_started_at, a.last_number, a.step, a.outcome, a.reason) order by a.number)
         from kyc_attempts a where a.record_id = r.id)) as about
     from kyc_records r where r.id = any($1)`,
    [ids],
  );
  return rows.map(({ about }) => JSON.stringify(about)).join("\n");
}

// The run

interface Row {
  times: number;
  /** Calls whose submission was stored, and whose result was not there yet. */
  accepted: number;
  calls: number;
  seconds: number;
  longest: number;
  notes: string[];
}

/** What must be zero, with the sentences that count. */
const promises: readonly [name: string, sentences: RegExp][] = [
  ["Lost", /^I[13]:/],
  ["Doubled", /^I4:|^I2: .* (records|no submission)/],
  ["Executed twice", /^I2: .* (effects|sent again)/],
  ["Never told", /^I1[01]:/],
  ["Told out of order", /^I12:/],
  ["Unexpected answers", /^A call/],
];

/** The report, in Markdown: what each fault cost the clients, and the differences between the ledgers. */
function report(rows: ReadonlyMap<Fault, Row>, clients: Clients, violations: readonly string[]): string {
  const lines = [...rows].map(([{ title }, { times, accepted, calls, seconds, longest, notes }]) => {
    const name = [title, ...new Set(notes)].join("; ");
    return `| ${name} | ${times} | ${accepted} | ${calls} | ${seconds.toFixed(1)} | ${longest.toFixed(1)} |`;
  });
  const counts = promises.map(
    ([, sentences]) => violations.filter((violation) => sentences.test(violation)).length,
  );
  const outcomes = [...clients.outcomes].sort().map(([outcome, calls]) => `${outcome}: ${calls}`);
  return [
    "| Fault | Times | 202 | Failed calls | Seconds without success for a client | Longest |",
    "|---|--:|--:|--:|--:|--:|",
    ...lines,
    "",
    `${clients.told.length} submissions, seed ${seed}. Calls by outcome: ${outcomes.join(", ")}.`,
    "",
    `| ${promises.map(([name]) => name).join(" | ")} |`,
    `|${"--:|".repeat(promises.length)}`,
    `| ${counts.join(" | ")} |`,
  ].join("\n");
}

/** Runs one fault at its place, and adds what it cost to its row. */
async function happen(fault: Fault, rows: Map<Fault, Row>, world: World, clients: Clients): Promise<void> {
  process.stderr.write(`${clients.acknowledged()}: ${fault.title}…\n`);
  const accepted = () => clients.outcomes.get("202") ?? 0;
  const [from, failed, acceptedBefore] = [performance.now(), clients.failed(), accepted()];
  const note = await fault.run(world, clients);
  await clients.untilCalm();
  const row = rows.get(fault) ?? { times: 0, accepted: 0, calls: 0, seconds: 0, longest: 0, notes: [] };
  const [calls, seconds] = [clients.failed() - failed, clients.failedSeconds(from)];
  rows.set(fault, {
    times: row.times + 1,
    accepted: row.accepted + accepted() - acceptedBefore,
    calls: row.calls + calls,
    seconds: row.seconds + seconds,
    longest: Math.max(row.longest, seconds),
    notes: typeof note === "string" ? [...row.notes, note] : row.notes,
  });
  process.stderr.write(`  ${calls} calls failed, ${seconds.toFixed(1)} s without success for a client\n`);
}

it(`loses nothing in ${submissions} submissions while everything fails`, async ({ skip }) => {
  const release = await buildLastRelease();
  const reason =
    reasonNotToRun(["postgres", "pgbouncer", "haproxy"]) ??
    (typeof release === "string" ? release : undefined);
  if (reason !== undefined || typeof release === "string") return skip(reason);
  const plan = schedule();
  const world = await startWorld(release.folder);
  const clients = startClients(world);
  try {
    const rows = new Map<Fault, Row>();
    for (const [place, fault] of plan.entries()) {
      await clients.untilAcknowledged(((place + 0.5) / plan.length) * submissions);
      await happen(fault, rows, world, clients);
    }
    await clients.finish();
    await settle(world);
    const violations = await compare(world, clients);
    const table = report(rows, clients, violations);
    process.stderr.write(`\n${table}\n`);
    await writeReport("faults", table);
    if (violations.length > 0) process.stderr.write(`${await describe(world, violations)}\n`);
    expect(violations).toEqual([]);
  } finally {
    clients.abandon();
    await Promise.all([world.provider, ...world.apis, ...world.workers].map((one) => one.stop()));
    await world.admin.close();
  }
});
