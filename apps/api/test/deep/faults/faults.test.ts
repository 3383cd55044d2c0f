import { readdir, readFile } from "node:fs/promises";
import { describe, expect, inject, it } from "vitest";
import { startCluster } from "./cluster/cluster.ts";
import type { Episode } from "./episodes/episode.ts";
import { failPointEpisode } from "./episodes/fail-points.ts";
import { frozenStep } from "./episodes/freezes.ts";
import { numberedEpisodes, twoStepEpisodes } from "./episodes/index.ts";
import { failPoints, type ServiceFailPoint } from "./program/points.ts";
import { type Run, runEpisodes } from "./run-episodes.ts";

/* The short form: two submissions in each episode. The nightly tier runs every episode at size. */

/** Groups the episodes that share a cluster. The clients of every other episode retry. */
function groupsOf(episodes: readonly Episode[]) {
  const runs = episodes.map((episode, index) => ({ episode, load: { size: 2, retries: index % 2 === 0 } }));
  const titleOf = ({ episode: { group, number, title } }: Run) =>
    group ?? (number === undefined ? title : `${number}: ${title}`);
  return [...Map.groupBy(runs, titleOf)].map(([title, ofGroup], seed) => ({ title, seed, runs: ofGroup }));
}

/** The kills that are numbered faults. */
const numbered: ServiceFailPoint[] = [
  "createOrReplay.decided",
  "createOrReplay.committing",
  "createOrReplay.after",
  "submitKyc.after",
  "storeVerdict.committing",
];
const kills = failPoints
  .filter((point) => !numbered.includes(point))
  .map((point) => failPointEpisode(point, "kill"));
/** Where two steps differ from one: a kill or a freeze at each step, and faults between a call and its result. */
const twoSteps = [
  frozenStep,
  ...twoStepEpisodes.filter(({ number }) => number === undefined || [5, 9, 13, 14, 17].includes(number)),
];

describe.concurrent.each([
  { of: "a submission", episodes: numberedEpisodes, twoSteps: false },
  { of: "a submission and a kill at every fail-point", episodes: kills, twoSteps: false },
  { of: "a submission of two steps", episodes: twoSteps, twoSteps: true },
])("$of is neither lost nor done twice:", (suite) => {
  it.each(groupsOf(suite.episodes))("$title", async ({ seed, runs }) => {
    const options = { postgres: inject("postgres"), seed, timing: "accelerated" } as const;
    const { violations } = await runEpisodes(runs, { ...options, twoSteps: suite.twoSteps });
    expect(violations).toEqual([]);
  });
});

it("every fault number has an episode", () => {
  // Faults 39 to 47 have tests of their own.
  expect([...new Set(numberedEpisodes.map(({ number }) => number))]).toEqual([
    ...Array.from({ length: 38 }, (_, index) => index + 1),
    48,
    49,
  ]);
});

it("the shipped programs contain no fail-point, and ignore FAILPOINT", async () => {
  const dist = new URL("../../../dist/", import.meta.url);
  const files = (await readdir(dist)).filter((name) => /\.js(\.map)?$/.test(name));
  expect(files).toEqual(expect.arrayContaining(["main.js", "migrate.js", "cli.js"]));
  for (const name of files) {
    const text = await readFile(new URL(name, dist), "utf8");
    expect([name, /FAILPOINT|fail-point/.exec(text)]).toEqual([name, null]);
  }
  const cluster = await startCluster(inject("postgres"), Math.random);
  const service = await cluster.startService({ env: { FAILPOINT: "createOrReplay.after:kill" } });
  expect(await cluster.submit(service, cluster.newSubmission())).toMatchObject({ status: 200 });
  expect(await service.end("SIGTERM")).toBe(0);
  await cluster.close();
});
