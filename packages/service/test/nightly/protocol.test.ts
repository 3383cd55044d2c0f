import { expect, test } from "vitest";
import { searches } from "../protocol/configurations.ts";
import { replaying } from "../protocol/replay/replaying.ts";
import { cover, type Taken } from "../protocol/replay/traces.ts";

const replay = await replaying();
const taken: Record<"ordered" | "unordered", Taken> = { ordered: new Map(), unordered: new Map() };

test.each(searches)(
  "each pair of steps of $name, with a provider that is $nature, does what the model does",
  async (search) => {
    const { state, protocol, nature, name } = search;
    const traces = cover(state, protocol, taken[nature]);
    for (const steps of traces) await replay(state, steps);
    process.stderr.write(`${name}, ${nature}: ${traces.length} traces, ${taken[nature].size} goals so far\n`);
    expect(traces.length).toBeGreaterThan(10);
  },
);
