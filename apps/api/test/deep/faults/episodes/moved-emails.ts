import { setTimeout as wait } from "node:timers/promises";
import type { UserNames } from "@cardbridge/domain";
import { expect } from "vitest";
import { until } from "../../../support/until.ts";
import { markedSubmission, type Submission } from "../clients/marked-submission.ts";
import { isAcknowledged } from "../clients/submit.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { type Service, wasKilled } from "../cluster/service.ts";
import type { Episode } from "./episode.ts";

/** A query that returns a row for each statement that waits for a lock. */
const waitingForLock = `select from pg_locks
  where not granted and database = (select oid from pg_database where datname = current_database())`;

interface Moves {
  /** The process with the fault. After it ends, its clients call a healthy process. */
  service: Service;
  /** Starts the fault before each move. */
  before?: (operation: string) => void;
}

/** Two users whose submissions are rejected and refused. */
async function declinedUsers(cluster: Cluster, service: Service): Promise<[Submission, Submission]> {
  const users = [cluster.newSubmission("rejected"), cluster.newSubmission("refused")] as const;
  for (const user of users) {
    const { body } = await cluster.submit(service, user, { idempotencyKey: user.memberId });
    expect(body.kycRecordId).toBeDefined();
  }
  return [...users];
}

/** An unused e-mail; the sandbox approves its user. */
const newEmail = (cluster: Cluster) =>
  markedSubmission(`${cluster.random()}`.slice(2).padEnd(12, "0").slice(0, 12), "approved").email;

/**
 * The second user takes the e-mail of the rejected first user, who submits with a new e-mail. Then the second user's
 * e-mail is changed. Each client repeats its call until it is accepted. The first submissions still replay.
 */
async function moveEmails(
  cluster: Cluster,
  users: readonly [Submission, Submission],
  { service, before = () => {} }: Moves,
): Promise<void> {
  const [owner, taker] = users;
  const moves = [
    cluster.changed(taker, { email: owner.email }),
    cluster.changed(owner, { email: newEmail(cluster) }),
  ];
  for (const submission of moves) {
    before("kyc.submit");
    const reply = await cluster.submit(service, submission);
    service.database.up();
    if (!isAcknowledged(reply)) await cluster.retry(submission);
  }
  const names = { memberId: taker.memberId, email: newEmail(cluster) };
  before("users.changeEmail");
  const status = await cluster.changeEmail(service, names);
  service.database.up();
  if (status !== 200) await changeUntilAccepted(cluster, names);
  for (const user of users) {
    const reply = await cluster.retry(user, { idempotencyKey: user.memberId });
    expect(reply).toMatchObject({ replayed: true });
  }
}

/** Repeats the change of an e-mail at a healthy process, as clients do. */
async function changeUntilAccepted(cluster: Cluster, names: UserNames): Promise<void> {
  const service = await cluster.healthyService();
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await cluster.changeEmail(service, names)) === 200) return;
    await wait(300);
  }
  throw new Error("The change of an e-mail was never accepted.");
}

const shared = {
  number: 36,
  group: "36: an e-mail moves between users",
  // Each user submits again after the first submission was declined.
  allowed: { perUser: 2 },
};

const disturbed = (title: string, before: (service: Service, operation: string) => void): Episode => ({
  ...shared,
  title: `an e-mail moves while ${title}`,
  async run(cluster) {
    const service = await cluster.sharedService();
    const users = await declinedUsers(cluster, service);
    await moveEmails(cluster, users, { service, before: (operation) => before(service, operation) });
  },
});

/** Fault 36: e-mails move between declined users (gap G17) while a fault happens. */
export const movedEmails: Episode[] = [
  disturbed("the response is lost", ({ database }, operation) => database.cutAt(operation, "after")),
  disturbed("the connection is lost", ({ database }, operation) => database.cutAt(operation, "before")),
  disturbed("the database is down", ({ database }) => database.down()),
  {
    ...shared,
    title: "kill -9 while a submission moves an e-mail",
    async run(cluster) {
      // The third submission is the first one that moves an e-mail.
      const service = await cluster.startService({ failPoint: "createOrReplay.committing:kill:3" });
      await moveEmails(cluster, await declinedUsers(cluster, service), { service });
      await until(() => wasKilled(service));
      await cluster.expireLeases();
    },
  },
  {
    ...shared,
    title: "kill -9 while an e-mail is changed",
    async run(cluster) {
      const victim = await cluster.sharedService();
      const [user] = await declinedUsers(cluster, victim);
      const names = { memberId: user.memberId, email: newEmail(cluster) };
      // The names are already changed while the audit's entry waits for the lock.
      await cluster.query("begin; lock table audit_entries in share row exclusive mode");
      const change = cluster.changeEmail(victim, names);
      await until(async () => (await cluster.query(waitingForLock)).length > 0);
      victim.child.kill("SIGKILL");
      await cluster.query("commit");
      expect(await change).toBe(0);
      await changeUntilAccepted(cluster, names);
    },
  },
];
