import type { TestServer } from "@cardbridge/service/database/testing";
import { retryUnlessAcknowledged } from "./burst.ts";
import { isAcknowledged } from "./clients/submit.ts";
import { type Cluster, startCluster } from "./cluster/cluster.ts";
import type { Timing } from "./cluster/settings.ts";
import type { Episode, Load } from "./episodes/episode.ts";
import { checkInvariants } from "./invariants/check.ts";
import type { Allowed } from "./invariants/facts.ts";
import { readRecords } from "./invariants/records.ts";
import { randomFrom } from "./random.ts";
import { recover, stopAll } from "./recover.ts";

export interface Run {
  episode: Episode;
  load: Load;
}

export interface Options {
  postgres: TestServer;
  seed: number;
  timing: Timing;
}

export interface Result {
  submissions: number;
  acknowledged: number;
  /** How long each answered record took to resolve, in milliseconds. */
  resolveMs: number[];
  /** The violated invariants, as sentences. */
  violations: string[];
}

/** Runs episodes one after the other on one cluster, lets it recover, and checks the invariants. */
export async function runEpisodes(
  runs: readonly Run[],
  { postgres, seed, timing }: Options,
): Promise<Result> {
  const cluster = await startCluster(postgres, randomFrom(seed), timing);
  try {
    const unacknowledged: string[] = [];
    const retrying = [];
    for (const { episode, load } of runs) {
      const from = cluster.submissions.length;
      await runOne(episode, cluster, load);
      if (load.retries) retrying.push(...cluster.submissions.slice(from));
    }
    await Promise.all(retrying.map((submission) => retryUnlessAcknowledged(cluster, submission)));
    const allowed: Allowed = Object.assign({}, ...runs.map(({ episode }) => episode.allowed));
    await recover(cluster);
    const acknowledged = new Set(cluster.replies.filter(isAcknowledged).map(({ submission }) => submission));
    for (const submission of retrying) {
      if (!acknowledged.has(submission))
        unacknowledged.push(`I3: ${submission.memberId} was never acknowledged`);
    }
    return {
      submissions: cluster.submissions.length,
      acknowledged: acknowledged.size,
      violations: [
        ...(await checkInvariants(cluster, allowed)),
        ...(await stopAll(cluster)),
        ...unacknowledged,
      ],
      resolveMs: (await readRecords(cluster)).flatMap(({ resolve_ms }) => resolve_ms ?? []),
    };
  } finally {
    await cluster.close();
  }
}

async function runOne({ title, run }: Episode, cluster: Cluster, load: Load): Promise<void> {
  try {
    await run(cluster, load);
  } catch (error) {
    throw new Error(`The episode "${title}" failed.`, { cause: error });
  }
}
