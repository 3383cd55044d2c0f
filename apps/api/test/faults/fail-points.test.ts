import { describe, expect, inject, it } from "vitest";
import { failPointNames } from "../../src/fail-points/names.ts";
import { failPointEpisode } from "./episodes/fail-points.ts";
import { play } from "./play.ts";

describe.concurrent("a process that is killed at", () => {
  it.each(failPointNames.map((name, index) => [name, index] as const))(
    "%s loses nothing and does nothing twice",
    async (name, index) => {
      const how = { seed: index, retries: index % 2 === 0, size: 2, time: "moved" } as const;
      const { broken } = await play(failPointEpisode(name, "kill"), { postgres: inject("postgres"), ...how });
      expect(broken).toEqual([]);
    },
  );
});
