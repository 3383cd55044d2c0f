import { expect, test } from "vitest";
import { searches } from "../protocol/configurations.ts";
import { replaying } from "../protocol/replay/replaying.ts";
import { coverPairs } from "../protocol/replay/traces.ts";

const replay = await replaying();
const covered = { ordered: new Set<string>(), unordered: new Set<string>() };

test.each(searches)(
  "each pair of steps of $name, with a provider that is $nature, does what the model does",
  async (search) => {
    const { state, protocol, nature, name } = search;
    const traces = coverPairs(state, protocol, covered[nature]);
    for (const steps of traces) await replay(state, steps);
    process.stderr.write(
      `${name}, ${nature}: ${traces.length} traces, ${covered[nature].size} pairs so far\n`,
    );
    expect(traces.length).toBeGreaterThan(10);
  },
);
