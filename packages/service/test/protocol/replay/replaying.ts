import pg from "pg";
import { afterAll } from "vitest";
import { makeProposalWorld } from "../../support/proposals.ts";
import { type Configuration, configurations, start } from "../configurations.ts";
import { replay } from "./replay.ts";

/** The configurations whose traces are replayed, and what replays them on one database. */
export async function replaying() {
  const world = await makeProposalWorld();
  const owner = new pg.Client({ connectionString: world.adminUrl });
  await owner.connect();
  afterAll(() => owner.end());
  const searches = Object.entries<Configuration>(configurations).flatMap(([name, configuration]) =>
    configuration.natures.map((nature) => ({ name, nature, ...start(configuration, nature) })),
  );
  return { searches, replay: replay.bind(null, { world, owner }) };
}
