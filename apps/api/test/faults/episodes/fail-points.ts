import { failPointNames } from "../../../src/fail-points/names.ts";
import { until } from "../../support/until.ts";
import { sendEvent } from "../events.ts";
import { burst, type Episode } from "../play.ts";
import { http, type Plan } from "../provider-proxy.ts";
import type { Service, Stage } from "../stage.ts";

const actions = ["kill", "hang", "error"] as const;
type Action = (typeof actions)[number];

/** An episode for a place and what happens there: clients submit in such a way that the process comes by. */
export function failPointEpisode(name: string, action: Action): Episode {
  const call = name.split(".")[0] ?? "";
  const run = waysThere[call];
  if (!run) throw new Error(`Nobody knows the way to ${name}.`);
  return {
    title: `${name}:${action}`,
    async run(stage, how) {
      const victim = await run(stage, how, (passing) => `${name}:${action}:${passing}`);
      await isHit(victim, `${name}: ${action}`);
    },
  };
}

type Way = (
  stage: Stage,
  how: Parameters<Episode["run"]>[1],
  failPoint: (passing: number) => string,
) => Promise<Service>;

/** What hangs is not waited for. */
const impatient = { patienceMs: 5_000 };

/** At which of the burst's passings: the last one at the latest. */
const somewhere = (stage: Stage, size: number) => 1 + Math.floor(stage.random() * size);

const byRequest: Way = async (stage, how, failPoint) => {
  const victim = await stage.service({ failPoint: failPoint(somewhere(stage, how.size)) });
  await burst(stage, how, (submission) => stage.submit(victim, submission, impatient));
  return victim;
};

/** The provider fails first, sometimes after the effect, so that the outcome is not known. */
const troubled = (stage: Stage): Plan => ({
  put: [{ effect: stage.random() < 0.5, answer: http(503, "{}") }],
});

const byUnknownOutcome: Way = async (stage, how, failPoint) => {
  const victim = await stage.service({ failPoint: failPoint(somewhere(stage, how.size)) });
  await burst(stage, how, (submission) => {
    victim.provider.plan(submission.email, troubled(stage));
    return stage.submit(victim, submission, impatient);
  });
  return victim;
};

/** The victim is the only one with a worker, so that it is the one that asks. */
const byWorker =
  (passing: number): Way =>
  async (stage, how, failPoint) => {
    const victim = await stage.service({ run: "all", failPoint: failPoint(passing) });
    await burst(stage, { ...how, retries: false }, (submission) => {
      victim.provider.plan(submission.email, troubled(stage));
      return stage.submit(victim, submission, impatient);
    });
    return victim;
  };

/** The provider tells by itself that an approval was revoked, until somebody takes it. */
const byEvent: Way = async (stage, how, failPoint) => {
  const victim = await stage.service({ failPoint: failPoint(1) });
  await burst(stage, how, (submission) => stage.submit(victim, submission, impatient), "revoked");
  const isRevoked = async () =>
    (await stage.ledger()).executions.every(({ status }) => status === "rejected");
  await until(isRevoked);
  for (const { reference, userReference } of (await stage.ledger()).executions) {
    const event = { reference, userReference, status: "rejected", revision: 2 };
    const taken = await sendEvent(victim.url, event, impatient.patienceMs);
    if (taken !== 204) await sendEvent((await stage.survivor()).url, event);
  }
  return victim;
};

const waysThere: Record<string, Way> = {
  claim: byRequest,
  submitKyc: byRequest,
  storeVerdict: byRequest,
  reschedule: byUnknownOutcome,
  // Not while it starts: a worker looks for due records every second, also where there are none.
  leaseDue: byWorker(3),
  loadAttempt: byWorker(1),
  findKyc: byWorker(1),
  recordProviderUpdate: byEvent,
};

/** An episode whose fault did not happen proves nothing. */
async function isHit({ child, output }: Service, setting: string): Promise<void> {
  await until(() => child.signalCode === "SIGKILL" || output().includes(`fail-point ${setting}`));
}

/** Every place with everything that may happen there. */
export const failPointEpisodes = failPointNames.flatMap((name) =>
  actions.map((action) => failPointEpisode(name, action)),
);
