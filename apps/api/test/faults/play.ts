import { setTimeout as wait } from "node:timers/promises";
import type { TestServer } from "@cardbridge/store/testing";
import { type Allowed, compareLedgers, readRecords } from "./ledgers.ts";
import { randomFrom } from "./random.ts";
import { hasEnded, openStage, type Stage, type Time } from "./stage.ts";
import type { Submission } from "./submission.ts";
import { isAcknowledged } from "./told.ts";

/** One fault, and clients who submit while it happens. */
export interface Episode {
  /** The row of the fault page, where it is one. */
  row?: number;
  title: string;
  allowed?: Allowed;
  run(stage: Stage, how: Manner): Promise<void>;
}

export interface Manner {
  /** Whether a client who was not acknowledged tries again. */
  retries: boolean;
  /** How many submissions an episode makes that can be played with any number. */
  size: number;
}

export interface Played {
  submissions: number;
  acknowledged: number;
  /** Records by the database's clock, from the claim to the answer, in milliseconds. */
  settleMs: number[];
  broken: string[];
}

const settleWithinMs = 180_000;

/** Plays an episode, lets the faults stop, waits until all is settled, and compares the ledgers. */
export async function play(
  { run, allowed = {} }: Episode,
  { postgres, seed, time, ...how }: { postgres: TestServer; seed: number; time: Time } & Manner,
): Promise<Played> {
  const stage = await openStage(postgres, randomFrom(seed), time);
  try {
    await run(stage, how);
    if (how.retries) await insistAll(stage);
    await calm(stage, allowed);
    const acknowledged = new Set(stage.told.filter(isAcknowledged).map(({ submission }) => submission));
    const broken = [...(await compareLedgers(stage, allowed)), ...(await endAll(stage))];
    if (how.retries && acknowledged.size < stage.submissions.length) {
      broken.push(`I3: of ${stage.submissions.length} submissions ${acknowledged.size} were acknowledged`);
    }
    return {
      submissions: stage.submissions.length,
      acknowledged: acknowledged.size,
      settleMs: (await readRecords(stage)).flatMap(({ settle_ms }) => settle_ms ?? []),
      broken,
    };
  } finally {
    await stage.close();
  }
}

/** Whose client could not try again before, because that would have been in the fault's way. */
async function insistAll(stage: Stage): Promise<void> {
  await Promise.all(stage.submissions.filter((one) => !isKnown(stage, one)).map((one) => stage.insist(one)));
}

const isKnown = (stage: Stage, submission: Submission) =>
  stage.told.some((told) => told.submission === submission && isAcknowledged(told));

/** The faults stop; somebody is there who works. Waits until nothing is unsettled, or the time for it is over. */
async function calm(stage: Stage, allowed: Allowed): Promise<void> {
  for (const { database, provider } of stage.services) {
    database.up();
    provider.up();
    provider.heal();
  }
  await stage.survivor();
  const deadline = Date.now() + settleWithinMs;
  while (Date.now() < deadline && !allowed.unsettled) {
    const open = (await readRecords(stage)).filter(
      ({ settlement, held }) => settlement === "unsettled" && !held,
    );
    if (open.length === 0) return;
    await stage.endWaits();
    await wait(100);
  }
}

/** Whoever still lives ends by SIGTERM within the grace, and says so by its exit code. */
async function endAll(stage: Stage): Promise<string[]> {
  const living = stage.services.filter((service) => !hasEnded(service));
  const codes = await Promise.all(living.map((service) => service.end("SIGTERM")));
  return codes.filter((code) => code !== 0).map((code) => `SIGTERM: a process ended with ${code}`);
}

/** What each client does: submits to the service that will fail, and where that was not acknowledged, insists. */
export async function burst(
  stage: Stage,
  { retries, size }: Manner,
  act: (submission: Submission) => Promise<unknown>,
  tag?: string,
): Promise<void> {
  const submissions = Array.from({ length: size }, () => stage.submission(tag));
  await Promise.all(
    submissions.map(async (submission) => {
      await act(submission);
      if (retries && !isKnown(stage, submission)) await stage.insist(submission);
    }),
  );
}
