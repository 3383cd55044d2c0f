import { expect } from "vitest";
import { until } from "../../../support/until.ts";
import type { Submission } from "../clients/marked-submission.ts";
import {
  type ApprovedUser,
  anotherDocument,
  approvedUsers,
  changeTag,
  readUser,
  renew,
  renewalOf,
  whileApproved,
} from "../clients/renewing.ts";
import { isAcknowledged } from "../clients/submit.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { http } from "../cluster/http-bytes.ts";
import type { ProviderFault } from "../cluster/provider-proxy.ts";
import { type Service, wasKilled } from "../cluster/service.ts";
import type { Episode } from "./episode.ts";

const number = 49;
const allowed = { perUser: 2 };
const group = "49: a renewal while the approval stands";
const killGroup = "49: kill -9 while a renewal is stored";

/** Waits until the renewals of all users are resolved, and reads each user. */
async function untilRenewed(cluster: Cluster, reader: Service, users: readonly ApprovedUser[]) {
  await until(async () => {
    await cluster.expireDelays();
    const open = "select from kyc_records where renews is not null and resolution = 'unresolved'";
    return (await cluster.query(open)).length === 0;
  });
  return Promise.all(users.map(({ submission }) => readUser(cluster, reader, submission)));
}

const raced: Episode = {
  number,
  title: "20 renewals of one user at once, at two processes",
  allowed,
  group,
  async run(cluster, { size }) {
    const services = [await cluster.startService({ run: "all" }), await cluster.startService()] as const;
    const users = await approvedUsers(cluster, services[0], size);
    await whileApproved(cluster, services[1], users, async () => {
      for (const user of users) {
        const bodies = Array.from({ length: 20 }, (_, index) => ({
          ...user.submission,
          ...anotherDocument(user, index % 10),
        }));
        const replies = await Promise.all(
          bodies.map((body, index) => cluster.submit(services[index % 2 === 0 ? 0 : 1], body as Submission)),
        );
        const ids = new Set(replies.map(({ body }) => body.kycRecordId));
        expect(ids.size).toBe(1);
        // Each body was sent twice: the one that won is replayed, the others conflict with it.
        expect(replies.filter(isAcknowledged)).toHaveLength(2);
        expect(replies.filter(({ status }) => status === 409)).toHaveLength(18);
      }
    });
    for (const reading of await untilRenewed(cluster, services[1], users))
      expect(reading).toMatchObject({ documentExpiry: "valid", renewal: null });
  },
};

/** The sandbox declines the renewal, and the next one is approved. */
const declined = (tag: "rejected" | "refused", status: string | null): Episode => ({
  number,
  title: `the provider has ${tag} a renewal, and approves the next one`,
  allowed: { perUser: 3 },
  group: "49: a declined renewal",
  async run(cluster, { size }) {
    const service = await cluster.startService({ run: "all" });
    const approved = await approvedUsers(cluster, service, size);
    const users = await Promise.all(approved.map((user) => changeTag(cluster, service, user, tag)));
    await whileApproved(cluster, service, users, () =>
      Promise.all(users.map((user) => renew(cluster, service, renewalOf(cluster, user)))),
    );
    const readings = await untilRenewed(cluster, service, users);
    for (const [index, reading] of readings.entries())
      expect(reading).toMatchObject({ kycRecordId: users[index]?.kycRecordId, renewal: { status } });
    const again = await Promise.all(users.map((user) => changeTag(cluster, service, user, "approved")));
    await whileApproved(cluster, service, again, () =>
      Promise.all(again.map((user) => renew(cluster, service, renewalOf(cluster, user, 2)))),
    );
    for (const reading of await untilRenewed(cluster, service, again))
      expect(reading).toMatchObject({ documentExpiry: "valid", renewal: null });
  },
});

/** The service does not receive the provider's answer to a renewal. */
const lostAnswer = (title: string, effect: boolean, answer: ProviderFault["answer"]): Episode => ({
  number,
  title: `a renewal ${effect ? "has an effect" : "has no effect"}, and its answer is ${title}`,
  allowed,
  group,
  async run(cluster, { size }) {
    const service = await cluster.startService({ run: "all" });
    const users = await approvedUsers(cluster, service, size);
    await whileApproved(cluster, service, users, async () => {
      const renewals = users.map((user) => {
        service.provider.plan(user.submission.email, { put: [{ effect, answer }] });
        return renew(cluster, service, renewalOf(cluster, user));
      });
      await Promise.all(renewals);
      await untilRenewed(cluster, service, users);
    });
    for (const reading of await untilRenewed(cluster, service, users))
      expect(reading).toMatchObject({ documentExpiry: "valid", renewal: null });
  },
});

const statements = {
  "the renewal": 'insert into "kyc_records"',
  "its verdict": 'update "kyc_records" set "resolution"',
};

const killedAtCommit = (of: keyof typeof statements, when: "before" | "after"): Episode => ({
  number,
  title: `kill -9 ${when} the commit of ${of}`,
  allowed,
  group: killGroup,
  async run(cluster, { size }) {
    const victim = await cluster.startService();
    const users = await approvedUsers(cluster, victim, size);
    const submissions = users.map((user) => renewalOf(cluster, user));
    await whileApproved(cluster, victim, users, async () => {
      victim.database.atCommit(statements[of], when, () => victim.child.kill("SIGKILL"));
      await Promise.all(submissions.map((submission) => cluster.submit(victim, submission)));
      await until(() => wasKilled(victim));
      await cluster.expireLeases();
    });
    const healthy = await cluster.healthyService();
    await whileApproved(cluster, healthy, users, () =>
      Promise.all(submissions.map((submission) => cluster.retry(submission))),
    );
  },
});

/** Fault 49: a renewal is refused, rejected, lost or raced while the approval stands. */
export const renewals: Episode[] = [
  raced,
  declined("rejected", "REJECTED"),
  declined("refused", null),
  lostAnswer("503", false, http(503, "{}")),
  lostAnswer("a broken connection", true, "reset"),
  ...(["before", "after"] as const).flatMap((when) => [
    killedAtCommit("the renewal", when),
    killedAtCommit("its verdict", when),
  ]),
];
