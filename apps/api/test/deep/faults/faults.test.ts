import { readdir, readFile } from "node:fs/promises";
import { describe, expect, inject, it } from "vitest";
import { startCluster } from "./cluster/cluster.ts";
import type { Episode } from "./episodes/episode.ts";
import { kills, numberedEpisodes } from "./episodes/index.ts";
import { type Run, runEpisodes } from "./run-episodes.ts";

/* The short form: two submissions in each episode. The nightly tier runs every episode at size. */

/** Groups the episodes that share a cluster. The clients of every other episode retry. */
function groupsOf(episodes: readonly Episode[]) {
  const runs = episodes.map((episode, index) => ({ episode, load: { size: 2, retries: index % 2 === 0 } }));
  const titleOf = ({ episode: { group, number, title } }: Run) =>
    group ?? (number === undefined ? title : `${number}: ${title}`);
  return [...Map.groupBy(runs, titleOf)].map(([title, ofGroup], seed) => ({ title, seed, runs: ofGroup }));
}

describe.concurrent.each([
  { of: "a fault", episodes: numberedEpisodes },
  { of: "a kill at every fail-point", episodes: kills },
])("a submission is neither lost nor done twice by $of:", (suite) => {
  it.each(groupsOf(suite.episodes))("$title", async ({ seed, runs }) => {
    const options = { postgres: inject("postgres"), seed, timing: "accelerated" } as const;
    const { violations } = await runEpisodes(runs, options);
    expect(violations).toEqual([]);
  });
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
