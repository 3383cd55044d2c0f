import { expect, test } from "vitest";
import { searches } from "./configurations.ts";
import { replaying } from "./replay/replaying.ts";
import { cover, walks } from "./replay/traces.ts";

/* The nightly tier covers every search. Here is the smallest one, and a few walks through each of the others. */
const walksOfEach = 20;
const isSmallest = ({ name, nature }: { name: string; nature: string }) =>
  name === "submission" && nature === "unordered";

const replay = await replaying();

test.each(searches)(
  "the service does what the model does: $name, with a provider that is $nature",
  async (search) => {
    const { state, protocol } = search;
    const traces = isSmallest(search)
      ? cover(state, protocol, new Map())
      : walks(state, protocol, walksOfEach);
    for (const steps of traces) await replay(state, steps);
    expect(traces.flat().length).toBeGreaterThan(100);
  },
);
