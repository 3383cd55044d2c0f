import { until } from "../../../support/until.ts";
import { burst } from "../burst.ts";
import { asksStatement } from "../clients/answer.ts";
import { sendEvent } from "../clients/provider-event.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { http } from "../cluster/http-bytes.ts";
import type { Plan } from "../cluster/provider-proxy.ts";
import type { Service } from "../cluster/service.ts";
import type { Action, FailPointSetting } from "../program/fail-point.ts";
import { failPoints, type PortCall, portCallOf, type ServiceFailPoint } from "../program/points.ts";
import type { Episode, Load } from "./episode.ts";

/** `freeze` has separate episodes, because they must continue the process. */
const actions = ["kill", "hang", "error"] as const satisfies readonly Action[];

/** An episode for one fail-point: clients submit in such a way that the process reaches it. */
export function failPointEpisode(point: ServiceFailPoint, action: (typeof actions)[number]): Episode {
  const call = portCallOf(point);
  return {
    title: `${point}:${action}`,
    ...(action === "kill" ? { group: groups[call] } : {}),
    async run(cluster, load) {
      const victim = await scenarios[call]({
        cluster,
        // The clients of a killed process all retry after the kill, in the recovery.
        load: action === "kill" ? { ...load, retries: false } : load,
        failPoint: (passing) => `${point}:${action}:${passing}`,
        // A client does not wait for a process that hangs.
        timing: action === "hang" ? { timeoutMs: 5_000 } : {},
      });
      await reached(victim, `${point}: ${action}`);
    },
  };
}

interface Setup {
  cluster: Cluster;
  load: Load;
  failPoint(passing: number): FailPointSetting;
  timing: { timeoutMs?: number };
}

/** Starts the process that fails and lets clients submit; returns that process. */
type Scenario = (setup: Setup) => Promise<Service>;

/** A random passing of the fail-point within the burst. */
const anyPassing = ({ random }: Cluster, size: number) => 1 + Math.floor(random() * size);

const byRequest: Scenario = async ({ cluster, load, failPoint, timing }) => {
  const victim = await cluster.startService({ failPoint: failPoint(anyPassing(cluster, load.size)) });
  await burst(cluster, load, (submission) => cluster.submit(victim, submission, timing));
  return victim;
};

/** The provider fails first, sometimes after the effect, so that the outcome is unknown. */
const unknownOutcome = ({ random }: Cluster): Plan => ({
  put: [{ effect: random() < 0.5, answer: http(503, "{}") }],
});

const byUnknownOutcome: Scenario = async ({ cluster, load, failPoint, timing }) => {
  const victim = await cluster.startService({ failPoint: failPoint(anyPassing(cluster, load.size)) });
  await burst(cluster, load, (submission) => {
    victim.provider.plan(submission.email, unknownOutcome(cluster));
    return cluster.submit(victim, submission, timing);
  });
  return victim;
};

/** The victim runs the only worker, so it is the process that queries the provider. */
const byWorker =
  (passing: number): Scenario =>
  async ({ cluster, load, failPoint, timing }) => {
    const victim = await cluster.startService({ run: "all", failPoint: failPoint(passing) });
    await burst(cluster, { ...load, retries: false }, (submission) => {
      victim.provider.plan(submission.email, unknownOutcome(cluster));
      return cluster.submit(victim, submission, timing);
    });
    return victim;
  };

/** The provider reports that it revoked an approval, and repeats the event until a process accepts it. */
const byEvent: Scenario = async ({ cluster, load, failPoint, timing }) => {
  const victim = await cluster.startService({ failPoint: failPoint(1) });
  const { executions: earlier } = await cluster.providerLedger();
  await burst(cluster, load, (submission) => cluster.submit(victim, submission, timing), "revoked");
  const isRevoked = async () =>
    (await cluster.providerLedger()).executions.every(({ status }) => status === "rejected");
  await until(isRevoked);
  const { executions } = await cluster.providerLedger();
  for (const { reference, userReference } of executions.slice(earlier.length)) {
    const event = { reference, userReference, status: "rejected", revision: 2 };
    const accepted = await sendEvent(victim.url, event, timing.timeoutMs);
    if (accepted !== 204) await sendEvent((await cluster.healthyService()).url, event);
  }
  return victim;
};

/** The victim delivers the webhooks of the submissions that it receives. The endpoint exists before. */
const byDelivery: Scenario = async ({ cluster, load, failPoint, timing }) => {
  await cluster.subscribe();
  const victim = await cluster.startService({ run: "all", failPoint: failPoint(1) });
  await burst(cluster, { ...load, retries: false }, (submission) =>
    cluster.submit(victim, submission, timing),
  );
  return victim;
};

/** The victim's worker sends the answers that the victim receives. */
const byAnswer: Scenario = async ({ cluster, load, failPoint, timing }) => {
  const victim = await cluster.startService({
    run: "all",
    failPoint: failPoint(anyPassing(cluster, load.size)),
  });
  await burst(
    cluster,
    { ...load, retries: false },
    async (submission) => {
      const { body } = await cluster.submit(victim, submission);
      await cluster.answer(victim, submission, body.kycRecordId ?? "", timing);
    },
    asksStatement,
  );
  return victim;
};

const scenarios: Record<PortCall, Scenario> = {
  createOrReplay: byRequest,
  submitKyc: byRequest,
  storeVerdict: byRequest,
  reschedule: byUnknownOutcome,
  // Not during the start: a worker looks for due records every second, even where there are none.
  leaseDue: byWorker(3),
  loadAttempt: byWorker(1),
  findKyc: byWorker(1),
  answerRequest: byAnswer,
  recordProviderUpdate: byEvent,
  leaseDeliveries: byDelivery,
  loadDelivery: byDelivery,
  sendDelivery: byDelivery,
  recordDelivery: byDelivery,
};

/** Kills that can share a cluster: what a killed process leaves is resolved by the next one, or in the recovery. */
const groups: Record<PortCall, string> = {
  createOrReplay: "a kill before or while the submission is sent",
  submitKyc: "a kill before or while the submission is sent",
  storeVerdict: "a kill while the outcome is stored",
  reschedule: "a kill while the outcome is stored",
  leaseDue: "a kill of a worker that looks for records",
  loadAttempt: "a kill of a worker that looks for records",
  findKyc: "a kill of a worker that looks for records",
  answerRequest: "a kill of a worker that sends answers",
  recordProviderUpdate: "a kill while an event is stored",
  leaseDeliveries: "a kill while webhooks are delivered",
  loadDelivery: "a kill while webhooks are delivered",
  sendDelivery: "a kill while webhooks are delivered",
  recordDelivery: "a kill while webhooks are delivered",
};

/** Waits until the fault has happened: otherwise the episode proves nothing. */
async function reached({ child, output }: Service, setting: string): Promise<void> {
  await until(() => child.signalCode === "SIGKILL" || output().includes(`fail-point ${setting}`));
}

/** Every fail-point with every action. */
export const failPointEpisodes = failPoints.flatMap((point) =>
  actions.map((action) => failPointEpisode(point, action)),
);
