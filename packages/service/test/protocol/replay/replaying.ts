import pg from "pg";
import { afterAll } from "vitest";
import { makeProposalWorld } from "../../support/proposals.ts";
import { replay } from "./replay.ts";

/** Replays traces on one database, which ends with the test file. */
export async function replaying() {
  const world = await makeProposalWorld();
  const owner = new pg.Client({ connectionString: world.adminUrl });
  await owner.connect();
  afterAll(() => owner.end());
  return replay.bind(null, { world, owner });
}
