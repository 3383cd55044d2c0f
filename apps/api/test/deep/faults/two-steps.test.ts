import { describe, expect, inject, it } from "vitest";
import { failPointEpisode } from "./episodes/fail-points.ts";
import { frozenStep } from "./episodes/freezes.ts";
import { numberedEpisodes } from "./episodes/index.ts";
import { groupEpisodes } from "./groups.ts";
import { stepFailPoints } from "./program/points.ts";
import { runEpisodes } from "./run-episodes.ts";

/** The faults of a submission. The other faults are about callers, events and platforms, which have no steps. */
const numbers = [...range(1, 9), 11, 13, 14, ...range(16, 23)];

/** All episodes with a group, and one episode without a group for each number. */
const episodes = [
  frozenStep,
  ...numbers.flatMap((number) => {
    const all = numberedEpisodes.filter((episode) => episode.number === number);
    const single = all.find(({ group }) => group === undefined);
    return all.filter((episode) => episode.group !== undefined || episode === single);
  }),
  ...stepFailPoints.map((point) => failPointEpisode(point, "kill")),
];

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

describe.concurrent("a submission of two steps survives", () => {
  it.each(groupEpisodes(episodes))("$title", async ({ seed, runs }) => {
    const options = { postgres: inject("postgres"), seed, timing: "accelerated", twoSteps: true } as const;
    const { violations } = await runEpisodes(runs, options);
    expect(violations).toEqual([]);
  });
});
