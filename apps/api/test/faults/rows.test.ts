import { describe, expect, inject, it } from "vitest";
import { rows } from "./episodes/index.ts";
import { play } from "./play.ts";

describe.concurrent("what a submission must survive", () => {
  it.each(rows.map((episode, index) => [episode.row, episode.title, index, episode] as const))(
    "%s: %s",
    async (_row, _title, index, episode) => {
      const how = { seed: index, retries: index % 2 === 0, size: 2, time: "moved" } as const;
      const { broken } = await play(episode, { postgres: inject("postgres"), ...how });
      expect(broken).toEqual([]);
    },
  );
});

it("every number has its episode", () => {
  expect([...new Set(rows.map(({ row }) => row))]).toEqual(
    Array.from({ length: 35 }, (_, index) => index + 1),
  );
});
