import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UserNames } from "@cardbridge/domain";
import { startSandbox } from "@cardbridge/sandbox";
import { openDatabase } from "@cardbridge/service/database";
import { createTestDatabase, type TestServer } from "@cardbridge/service/database/testing";
import { generateWebhookSecret } from "../../../../src/boot/ports.ts";
import { sandboxCredentials } from "../../../../src/config/development-secrets.ts";
import { type Answer, answerRequest } from "../clients/answer.ts";
import { changeEmail } from "../clients/change-email.ts";
import { markedSubmission, type Submission } from "../clients/marked-submission.ts";
import { isAcknowledged, type Reply, submit, submitUntilAcknowledged } from "../clients/submit.ts";
import { logEmails } from "../invariants/email-log.ts";
import { logRequests, logStates } from "../invariants/state-log.ts";
import { type Receiver, startReceiver } from "../receiver/receiver.ts";
import { connectAsAdmin } from "./admin-connection.ts";
import { readProviderLedger } from "./provider-ledger.ts";
import {
  environmentOf,
  hasEnded,
  type Service,
  type ServiceOptions,
  startNode,
  wasKilled,
} from "./service.ts";
import { maxLeaseMs, type Timing } from "./settings.ts";
import { createAdminKey, createPlatform } from "./tenants.ts";
import { createEndpoint } from "./webhook-endpoint.ts";

interface SubmitOptions {
  /** The first platform's key when absent. */
  key?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** A database, a provider, processes of the service, and clients whose replies are recorded. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>;

const platformIds = ["plt_first", "plt_second"] as const;

/** Starts a cluster without services. `close` ends every process that it starts later. */
export async function startCluster(
  postgres: TestServer,
  random: () => number,
  timing: Timing = "accelerated",
) {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-cluster-"));
  const database = await createTestDatabase(postgres);
  const [first, second] = platformIds;
  const admin = connectAsAdmin(database.adminUrl);
  const keys = {
    first: await createPlatform(admin, first),
    second: await createPlatform(admin, second),
    admin: await createAdminKey(admin),
  };
  const { query } = admin;
  await logStates(admin);
  await logRequests(admin);
  await logEmails(admin);
  const sandbox = await startSandbox({ dataFolder: folder, ...sandboxCredentials });
  const { preparedStatements = true } = postgres;
  const parts = {
    databaseUrl: database.serviceUrl,
    preparedStatements,
    providerUrl: sandbox.url,
    folder,
    timing,
  };
  const services: Service[] = [];
  const replies: Reply[] = [];
  const submissions: Submission[] = [];
  const answers: Answer[] = [];
  /** The names that the service accepted, in order. */
  const accepted: (UserNames & { platformId: string })[] = [];
  const shared = new Map<string, Promise<Service>>();
  let healthy: Promise<Service> | undefined;
  let closed: Promise<void> | undefined;
  /** The receiver of the first platform's webhooks. It receives changes after the history row `since`. */
  const receiver: { current: Receiver | undefined; since: string } = { current: undefined, since: "0" };

  const open = () =>
    openDatabase({
      url: database.serviceUrl,
      maxConnections: 1,
      preparedStatements,
      onError: () => {},
    });

  async function startService(options: ServiceOptions = {}): Promise<Service> {
    const service = await startNode(parts, options);
    services.push(service);
    return service;
  }

  /** Ends the leases that were taken until a given time. Use it only if their processes are dead or frozen. */
  async function expireLeases(givenUntil = "infinity"): Promise<void> {
    await query(
      `update kyc_records set lease_until = now(), due_at = now()
       where lease_until <= $1::timestamptz + interval '${maxLeaseMs} ms'`,
      [givenUntil],
    );
  }

  /** Starts a process that takes over the records of killed processes at once. */
  async function startHealthy(): Promise<Service> {
    const others = [...services];
    const [started] = await query<{ at: string }>("select clock_timestamp()::text as at");
    const service = await startService({ run: "all" });
    if (timing === "accelerated" && others.some(wasKilled) && others.every(hasEnded)) {
      await expireLeases(started?.at);
    }
    return service;
  }

  return {
    keys,
    random,
    platformIds,
    databaseUrl: database.serviceUrl,
    /** The environment of a program without proxies. */
    environment: environmentOf(parts),
    /** Connects as the service does. */
    openDatabase: open,
    ownerUrl: database.ownerUrl,
    sandboxUrl: sandbox.url,
    services,
    replies,
    submissions,
    /** The answers to document requests. */
    answers,
    accepted,
    receiver,
    startService,
    /** Starts a receiver, and creates an endpoint of the first platform for it; both only once. */
    async subscribe(): Promise<Receiver> {
      if (receiver.current) return receiver.current;
      const [latest] = await query<{ id: string }>(
        "select coalesce(max(id), 0)::text as id from kyc_history",
      );
      receiver.since = latest?.id ?? "0";
      const secret = generateWebhookSecret();
      receiver.current = await startReceiver(join(folder, "deliveries.jsonl"), secret);
      await createEndpoint(open(), first, { url: receiver.current.url, secret });
      return receiver.current;
    },
    /** Makes failed deliveries due now, and ends leases of this age, whose processes are dead. */
    async expireDeliveries({ leasesFromMs = maxLeaseMs, untilAttempt = 100 } = {}): Promise<void> {
      await query(
        `update webhook_deliveries set due_at = now()
         where lease_until is null and status = 'pending' and due_at > now() and attempt < ${untilAttempt}`,
      );
      await query(
        `update webhook_deliveries set due_at = now(), lease_until = now()
         where lease_until between now() and now() + interval '${maxLeaseMs - leasesFromMs} ms'`,
      );
    },
    /** A process that the episodes of a group share: one for each environment. */
    sharedService(env: Record<string, string> = {}): Promise<Service> {
      const key = JSON.stringify(env);
      const service = shared.get(key) ?? startService({ env });
      shared.set(key, service);
      return service;
    },
    query,
    expireLeases,
    /** A process without faults and with a worker. It starts when it is first needed. */
    healthyService(): Promise<Service> {
      healthy ??= startHealthy();
      return healthy;
    },
    /** The submission of a new user; `tag` selects the sandbox's scenario. */
    newSubmission(tag = "approved"): Submission {
      const submission = markedSubmission(randomBytes(6).toString("hex"), tag);
      submissions.push(submission);
      return submission;
    },
    /** Another submission of a user. */
    changed(submission: Submission, changes: Partial<Submission>): Submission {
      const changed = { ...submission, ...changes } as Submission;
      submissions.push(changed);
      return changed;
    },
    /** Changes the e-mail of a user of the first platform. Returns the status, or 0 without a response. */
    async changeEmail({ url }: Pick<Service, "url">, names: UserNames): Promise<number> {
      const status = await changeEmail(names, { url, key: keys.first });
      if (status === 200) accepted.push({ ...names, platformId: first });
      return status;
    },
    /** Sends one POST of a client and records the reply. */
    async submit(
      { url }: Pick<Service, "url">,
      submission: Submission,
      options: SubmitOptions = {},
    ): Promise<Reply> {
      const reply = await submit(submission, { url, key: keys.first, ...options });
      // A record's first acknowledgement also accepts the names; a repetition of an older record does not.
      const isKnown = replies.some(
        (known) => isAcknowledged(known) && known.body.kycRecordId === reply.body.kycRecordId,
      );
      const platformId = options.key === keys.second ? second : first;
      if (isAcknowledged(reply) && !isKnown) accepted.push({ ...submission, platformId });
      replies.push(reply);
      return reply;
    },
    /** Repeats a submission at a healthy process until it is acknowledged. */
    async retry(submission: Submission, options: SubmitOptions = {}): Promise<Reply> {
      const service = await this.healthyService();
      return submitUntilAcknowledged(() => this.submit(service, submission, options));
    },
    /** Answers the document request of a record of the first platform once. */
    async answer(
      { url }: Pick<Service, "url">,
      submission: Submission,
      kycRecordId: string,
      options: Pick<SubmitOptions, "timeoutMs"> = {},
    ): Promise<void> {
      answers.push(await answerRequest(submission, kycRecordId, { url, key: keys.first, ...options }));
    },
    /** Makes delayed attempts that no process works on due at once, unless the timing is real. */
    async expireDelays(): Promise<void> {
      if (timing === "real") return;
      await query(
        `update kyc_records set due_at = now()
         where lease_until is null and due_at > now() and (resolution = 'unresolved' or exists (
           select from document_requests as d where d.record_id = kyc_records.id and d.status = 'answered'))`,
      );
    },
    providerLedger: () => readProviderLedger(sandbox.url),
    /** Further calls return the same promise. */
    close(): Promise<void> {
      closed ??= closeAll();
      return closed;
    },
  };

  async function closeAll(): Promise<void> {
    for (const service of services) if (!hasEnded(service)) service.child.kill("SIGKILL");
    await receiver.current?.close();
    await Promise.all(services.flatMap(({ database, provider }) => [database.close(), provider.close()]));
    await sandbox.close();
    await admin.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}
