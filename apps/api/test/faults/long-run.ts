import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, inject, it } from "vitest";
import { failPointEpisodes } from "./episodes/fail-points.ts";
import { rows } from "./episodes/index.ts";
import { type Episode, type Played, play } from "./play.ts";
import { progress } from "./progress.ts";
import { toTable } from "./table.ts";

/*
 * The long form: every episode, with clients who retry and with clients who do not, for many seeds, until the
 * time is over. `scripts/test-faults.mjs` sets the variables.
 */

const { FAULTS_ONLY: only = "", FAULTS_WRITE: write = "" } = process.env;
const [seed = 1, seeds = 1, minutes = 60, size = 20] = ["SEED", "SEEDS", "MINUTES", "SIZE"].map((name) =>
  Number(process.env[`FAULTS_${name}`]),
);
const atOnce = 8;
const document = fileURLToPath(new URL("../../../../docs/reliability.md", import.meta.url));

interface Fault extends Episode {
  plays: Played[];
}

const episodes: Fault[] = [...rows, ...failPointEpisodes]
  .filter(({ title }) => title.includes(only))
  .map((episode) => ({ ...episode, plays: [] }));

/** Every way to play every episode, seed by seed, so that a short time has seen all of them. */
const jobs = Array.from({ length: seeds }, (_, index) => seed + index).flatMap((one) =>
  episodes.flatMap((episode) => [true, false].map((retries) => ({ episode, retries, seed: one }))),
);

it("loses nothing and does nothing twice", async () => {
  const deadline = Date.now() + minutes * 60_000;
  const report = progress(jobs.length);
  const queue = [...jobs];
  const failures: string[] = [];

  async function work(): Promise<void> {
    for (let job = queue.shift(); job && Date.now() < deadline; job = queue.shift()) {
      const { episode, ...how } = job;
      const played = await play(episode, { postgres: inject("postgres"), size, time: "real", ...how }).catch(
        didNotHappen,
      );
      episode.plays.push(played);
      for (const sentence of played.broken) {
        const again = `--seed ${how.seed} --size ${size} --only '${episode.title}'`;
        failures.push(`${episode.title} (retries: ${how.retries}): ${sentence}; again: ${again}`);
        report.say(failures.at(-1) ?? "");
      }
      report.done(played.submissions, failures.length);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));

  const played = episodes.filter(({ plays }) => plays.length > 0);
  const table = toTable(played.map(({ row, title, plays }) => ({ name: String(row ?? ""), title, plays })));
  report.say(`\n${table}\n`);
  if (write !== "") await keep(table);
  expect(failures).toEqual([]);
});

function didNotHappen(error: unknown): Played {
  const words = error instanceof Error ? error.message : String(error);
  return {
    submissions: 0,
    acknowledged: 0,
    settleMs: [],
    broken: [`the episode could not be played: ${words}`],
  };
}

/** Puts the table into the page on reliability, between its marks. */
async function keep(table: string): Promise<void> {
  const text = await readFile(document, "utf8");
  const marked = /(<!-- the table begins -->)[\s\S]*(<!-- the table ends -->)/;
  const written = text.replace(marked, (_, begin, end) => `${begin}\n\n${table}\n\n${end}`);
  await writeFile(document, written);
}
