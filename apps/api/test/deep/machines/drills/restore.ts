import { prepareTestServer } from "@cardbridge/service/database/testing";
import { onTestFinished } from "vitest";
import { runCli, runToEnd } from "../../../support/service-process.ts";
import { until } from "../../../support/until.ts";
import { isAcknowledged, type Reply, submit } from "../../faults/clients/submit.ts";
import type { Cluster } from "../../faults/cluster/cluster.ts";
import { hasEnded } from "../../faults/cluster/service.ts";
import { type Drill, drillUnderLoad, type World } from "../drill.ts";
import { startAddress } from "../servers/address.ts";
import { startArchive } from "../servers/archive.ts";
import { createPostgres, serverAt } from "../servers/postgres.ts";

/** The database is lost, restored to an earlier moment, checked, and serves again. */
export const restore: Drill = {
  title: "the database is lost and restored to an earlier moment",
  needs: ["postgres", "haproxy"],
  async run(size) {
    const lost = await createPostgres();
    const archive = await startArchive(lost);
    await prepareTestServer(serverAt(lost.port));
    const address = await startAddress(lost);
    /** What the invariants report about the person who submits twice, whose second record is adopted, and about the
     * person who is erased. */
    const expected: string[] = [];
    const outcome = await drillUnderLoad(serverAt(address.port), async (world) => {
      const { cluster, apis, load, start } = world;
      const [api] = apis;
      if (!api) throw new Error("There is no API process.");
      await load.succeeded(size);
      await archive.backUp();
      const people = await submitBefore(cluster, api.url);
      await load.succeeded(size);

      const acknowledged = cluster.replies.filter(isAcknowledged);
      const moment = await archive.moment();
      const resubmitted = { ...people.rejected.submission, occupation: "Poet" };
      const later = await submit(resubmitted, { url: api.url, key: cluster.keys.first });
      await erase(world, people.erased);
      await load.succeeded(size);

      await lost.kill();
      const services = cluster.services.filter((service) => !hasEnded(service));
      await Promise.all(services.map((service) => service.end("SIGKILL")));
      const restored = await archive.restoreTo(moment);
      // Hooks run in reverse order: the cluster needs this server to end.
      onTestFinished(cluster.close);
      await until(async () => (await restored.query("select where not pg_is_in_recovery()")).length > 0);
      await address.moveTo(restored);

      const violations = await lostBefore(cluster, acknowledged);
      const env = { ...cluster.environment, PORT: "0" };
      // The first statement of the documented procedure. The log of erasures shows the restore without it too.
      const unmarked = await runToEnd("main.js", env);
      if (unmarked.code !== 1) violations.push(`the service started on a database that lacks an erasure`);
      await cluster.query("insert into restores default values");
      const marked = await runToEnd("main.js", env);
      if (
        !marked.output.includes("The database was restored and is not checked. Run cardbridge restore check.")
      )
        violations.push(`the service did not say why it does not start: ${marked.output}`);
      const checked = await runCli(["restore", "check", "--since", new Date(moment).toISOString()], env);
      process.stderr.write(`${checked.stdout}${checked.stderr}\n`);
      if (checked.code !== 0) violations.push(`the check ended with ${checked.code}: ${checked.stderr}`);

      apis.splice(0, apis.length, await start(), await start());
      await start({ run: "worker" });
      violations.push(...(await resendAll(cluster, String(apis[0]?.url))));
      violations.push(
        ...(await wrongPeople(cluster, { ...people, later }, resubmitted, String(apis[0]?.url))),
      );
      const [twice, erased] = [people.rejected, people.erased].map(({ body }) => Object(body).externalUserId);
      expected.push(
        `I9: a move of the e-mail of ${erased} is not audited`,
        `I2: ${twice} has 2 effects`,
        `I2: ${twice} has 2 records`,
        `I8: ${later.body.kycRecordId} has 0 audit entries`,
      );
      await load.succeeded(size);
      return { violations, note: noteOf(checked.stdout) };
    });
    return {
      ...outcome,
      violations: outcome.violations.filter((violation) => !expected.includes(violation)),
    };
  },
};

interface People {
  rejected: Reply;
  erased: Reply;
}

/** Two people of before the moment: one submits again after it, and the other one is erased after it. */
async function submitBefore(cluster: Cluster, url: string): Promise<People> {
  const one = (tag: string) => submit(cluster.newSubmission(tag), { url, key: cluster.keys.first });
  return { rejected: await one("rejected"), erased: await one("approved") };
}

/** Erases a user, by a worker that starts: others look once a minute. */
async function erase({ cluster, start }: World, { body }: Reply): Promise<void> {
  const [user] = await cluster.query<{ id: string }>("select user_id as id from kyc_records where id = $1", [
    body.kycRecordId,
  ]);
  const id = String(user?.id);
  const alone = { ...cluster.environment, FOUR_EYES: "off" };
  await runCli(["users", "erase", id, "--platform", cluster.platformIds[0]], alone);
  await start({ run: "worker" });
  await until(
    async () =>
      (await cluster.query("select from users where id = $1 and erased_at is not null", [id])).length > 0,
  );
}

/** The acknowledged submissions of before the moment that the restored database lacks. */
async function lostBefore(cluster: Cluster, acknowledged: readonly Reply[]): Promise<string[]> {
  const rows = await cluster.query<{ id: string }>("select id from kyc_records");
  const stored = new Set(rows.map(({ id }) => id));
  return acknowledged
    .filter(({ body }) => !stored.has(String(body.kycRecordId)))
    .map(({ body }) => `I1: ${body.kycRecordId}, from before the moment, is lost`);
}

/** Sends every acknowledged submission again, as platforms do after a restore. Each must get the record that it had. */
async function resendAll(cluster: Cluster, url: string): Promise<string[]> {
  const violations: string[] = [];
  for (const { submission, body } of cluster.replies.filter(isAcknowledged)) {
    const reply = await submit(submission, { url, key: cluster.keys.first });
    if (reply.body.kycRecordId !== body.kycRecordId)
      violations.push(`I4: ${body.kycRecordId} became ${reply.body.kycRecordId ?? reply.body.code}`);
  }
  return violations;
}

/** Whether the erased user is erased, and the forgotten record of a known user is there again and not sent again. */
async function wrongPeople(
  cluster: Cluster,
  { erased, later }: People & { later: Reply },
  resubmitted: Reply["submission"],
  url: string,
): Promise<string[]> {
  const remaining = await cluster.query(
    "select from kyc_records r join users u on u.id = r.user_id where r.id = $1 and u.erased_at is null",
    [erased.body.kycRecordId],
  );
  const adopted = await cluster.query(
    "select from kyc_history where record_id = $1 and source = 'restored'",
    [later.body.kycRecordId],
  );
  const again = await submit(resubmitted, { url, key: cluster.keys.first });
  return [
    ...(remaining.length === 0 ? [] : ["the erased user is back"]),
    ...(adopted.length === 1
      ? []
      : [`the forgotten record of a known user has ${adopted.length} restored changes`]),
    ...(again.body.kycRecordId === later.body.kycRecordId && again.replayed
      ? []
      : [`I4: ${later.body.kycRecordId} became ${again.body.kycRecordId ?? again.body.code}`]),
  ];
}

/** The part of the report about executions, for the table. */
const noteOf = (report: string) =>
  /\d+ records were added to their users\. \d+ are of users/.exec(report)?.[0] ?? "";
