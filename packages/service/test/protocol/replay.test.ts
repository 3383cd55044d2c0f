import { expect, test } from "vitest";
import { searches } from "./configurations.ts";
import { replaying } from "./replay/replaying.ts";
import { walks } from "./replay/traces.ts";

/* The nightly tier replays every pair of steps. */
const walksOfEach = 20;

const replay = await replaying();

test.each(searches)(
  "the service does what the model does: $name, with a provider that is $nature",
  async (search) => {
    const { state, protocol } = search;
    let count = 0;
    for (const steps of walks(state, protocol, walksOfEach)) {
      await replay(state, steps);
      count += steps.length;
    }
    expect(count).toBeGreaterThan(100);
  },
);
