import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { trpcClient } from "../../support/trpc.ts";
import { until } from "../../support/until.ts";
import type { Reply } from "../faults/clients/submit.ts";
import { type Cluster, startCluster } from "../faults/cluster/cluster.ts";
import type { Service } from "../faults/cluster/service.ts";

/** Two processes of one database, each with a worker. An operator pauses through the first one. */
const env = { RATE_LIMIT_SUBMISSIONS: "unlimited" };
let cluster: Cluster;
let services: Service[];
let operator: ReturnType<typeof trpcClient>;
beforeAll(async () => {
  cluster = await startCluster(inject("postgres"), Math.random);
  services = await Promise.all([1, 2].map(() => cluster.startService({ run: "all", env })));
  operator = trpcClient({ url: services[0]?.url ?? "", apiKey: cluster.keys.admin });
});
afterAll(() => cluster.close());

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

async function statusOf({ url }: Service): Promise<number> {
  const path = "/openapi/v1/cards/list?memberId=nobody";
  return (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${cluster.keys.first}` } }))
    .status;
}

/** Submits new users to both processes in turns, until `end`. */
function startLoad() {
  const replies: Reply[] = [];
  let ended = false;
  const caller = async (index: number) => {
    const service = services[index % 2] as Service;
    while (!ended) replies.push(await cluster.submit(service, cluster.newSubmission()));
  };
  const callers = Promise.all([0, 1, 2, 3].map(caller));
  return {
    replies,
    async end() {
      ended = true;
      await callers;
    },
  };
}

it("a pause of the provider under load stops both processes, loses nothing, and all is sent once after it", async () => {
  const load = startLoad();
  await until(() => load.replies.length > 20);
  const pause = await operator.pauses.pauseProvider.mutate({ reason: "Maintenance", until: inAnHour() });
  // Every process reads the pauses at least once a second, and calls under way finish.
  const attempts = async () => (await cluster.providerLedger()).attempts.length;
  await until(() =>
    services.every(({ output }) => output().includes("pause_started") && output().includes(pause.pauseId)),
  );
  let sent = await attempts();
  let equal = 0;
  await until(async () => {
    const before = sent;
    sent = await attempts();
    equal = sent === before ? equal + 1 : 0;
    return equal === 10;
  });
  const stored = load.replies.length;
  await until(() => load.replies.length > stored + 200);
  expect(await attempts()).toBe(sent);
  await operator.pauses.resume.mutate({ pauseId: pause.pauseId });
  await until(() => load.replies.slice(-20).every(({ status }) => status === 200));
  await load.end();

  expect([...new Set(load.replies.map(({ status }) => status))].sort()).toEqual([200, 202]);
  expect(load.replies.filter(({ status }) => status === 202).length).toBeGreaterThan(200);
  const ids = load.replies.map(({ body }) => body.kycRecordId);
  expect(new Set(ids).size).toBe(load.replies.length);
  const executed = async () => (await cluster.providerLedger()).executions.map(({ reference }) => reference);
  await until(async () => (await executed()).length >= ids.length);
  expect((await executed()).sort()).toEqual([...ids].sort());
  const [waiting] = await cluster.query<{ count: number }>(
    "select count(*)::int as count from kyc_records where needs_attention_since is not null",
  );
  expect(waiting?.count).toBe(0);
});

it("a pause of a platform is obeyed by both processes and by a process that starts during it", async () => {
  const pause = await operator.pauses.pausePlatform.mutate({
    platformId: cluster.platformIds[0],
    reason: "A leaked key",
    until: inAnHour(),
  });
  for (const service of services) await until(async () => (await statusOf(service)) === 403);
  const late = await cluster.startService({ run: "api" });
  expect(await statusOf(late)).toBe(403);
  await operator.pauses.resume.mutate({ pauseId: pause.pauseId });
  for (const service of [...services, late]) await until(async () => (await statusOf(service)) === 404);
});
