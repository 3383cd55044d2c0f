import { expect, inject, it } from "vitest";
import type { Episode } from "../deep/faults/episodes/episode.ts";
import { failPointEpisodes } from "../deep/faults/episodes/fail-points.ts";
import { numberedEpisodes } from "../deep/faults/episodes/index.ts";
import { createProgress } from "../deep/faults/progress.ts";
import { toTable } from "../deep/faults/results-table.ts";
import { type Result, runEpisodes } from "../deep/faults/run-episodes.ts";
import { writeReport } from "../deep/faults/write-report.ts";

/*
 * The long form: every episode on a cluster of its own, with clients who retry and with clients who do not, for many
 * seeds, until the time limit. `FAULTS_…` variables change its size.
 */

const only = process.env.FAULTS_ONLY ?? "";
/** The first seed: a random one finds other orders each night. A failure prints what replays it. */
const firstSeed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 1e6));
const seeds = Number(process.env.FAULTS_SEEDS ?? 1);
const minutes = Number(process.env.FAULTS_MINUTES ?? 60);
const size = Number(process.env.FAULTS_SIZE ?? 20);
const concurrency = 8;

interface Fault {
  episode: Episode;
  results: Result[];
}

const faults = [...numberedEpisodes, ...failPointEpisodes]
  .filter(({ title }) => title.includes(only))
  .map((episode): Fault => ({ episode, results: [] }));

/** Seed by seed, so that a short run covers every episode. */
const jobs = Array.from({ length: seeds }, (_, index) => firstSeed + index).flatMap((seed) =>
  faults.flatMap((fault) => [true, false].map((retries) => ({ fault, retries, seed }))),
);

it("loses nothing and does nothing twice", async () => {
  const deadline = Date.now() + minutes * 60_000;
  const progress = createProgress(jobs.length);
  const queue = [...jobs];
  const failures: string[] = [];

  async function work(): Promise<void> {
    for (let job = queue.shift(); job && Date.now() < deadline; job = queue.shift()) {
      const { fault, retries, seed } = job;
      const { episode } = fault;
      const options = { postgres: inject("postgres"), seed, timing: "real" } as const;
      const result = await runEpisodes([{ episode, load: { retries, size } }], options).catch(failedRun);
      fault.results.push(result);
      for (const sentence of result.violations) {
        const replay = `FAULTS_SEED=${seed} FAULTS_SIZE=${size} FAULTS_ONLY='${episode.title}'`;
        const failure = `${episode.title} (retries: ${retries}): ${sentence}; replay: ${replay}`;
        failures.push(failure);
        progress.print(failure);
      }
      progress.advance(result.submissions, failures.length);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));

  const lines = faults
    .filter(({ results }) => results.length > 0)
    .map(({ episode: { number, title }, results }) => ({ name: String(number ?? ""), title, results }));
  const table = toTable(lines);
  progress.print(`\n${table}\n`);
  await writeReport("faults", table);
  expect(failures).toEqual([]);
});

/** The result of an episode that threw. */
function failedRun(error: unknown): Result {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return { submissions: 0, acknowledged: 0, resolveMs: [], violations: [`the episode failed: ${message}`] };
}
