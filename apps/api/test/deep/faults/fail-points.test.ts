import { describe, expect, inject, it } from "vitest";
import { failPointEpisode } from "./episodes/fail-points.ts";
import { groupEpisodes } from "./groups.ts";
import { failPoints } from "./program/points.ts";
import { runEpisodes } from "./run-episodes.ts";

const episodes = failPoints.map((point) => failPointEpisode(point, "kill"));

describe.concurrent("a process that is killed loses nothing and does nothing twice", () => {
  it.each(groupEpisodes(episodes))("$title", async ({ seed, runs }) => {
    const options = { postgres: inject("postgres"), seed, timing: "accelerated" } as const;
    const { violations } = await runEpisodes(runs, options);
    expect(violations).toEqual([]);
  });
});
