import { describe, expect, inject, it } from "vitest";
import { numberedEpisodes } from "./episodes/index.ts";
import { groupEpisodes } from "./groups.ts";
import { runEpisodes } from "./run-episodes.ts";

describe.concurrent("a submission survives", () => {
  it.each(groupEpisodes(numberedEpisodes))("$title", async ({ seed, runs }) => {
    const options = { postgres: inject("postgres"), seed, timing: "accelerated" } as const;
    const { violations } = await runEpisodes(runs, options);
    expect(violations).toEqual([]);
  });
});

it("every fault number has an episode", () => {
  expect([...new Set(numberedEpisodes.map(({ number }) => number))]).toEqual(
    Array.from({ length: 38 }, (_, index) => index + 1),
  );
});
