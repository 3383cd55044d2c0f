import { expect, test } from "vitest";
import { searches } from "../protocol/configurations.ts";
import { explore } from "../protocol/explore.ts";
import { sentences } from "../protocol/sentences.ts";

test.each(searches)(
  "no interleaving of $name breaks a promise, with a provider that is $nature",
  ({ name, nature, state, protocol }) => {
    const { states, transitions, failure } = explore(state, protocol);
    process.stderr.write(`${name}, ${nature}: ${states} states, ${transitions} transitions\n`);
    expect(failure && sentences(failure)).toBeNull();
  },
);
