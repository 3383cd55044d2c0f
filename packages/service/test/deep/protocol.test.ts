import { expect, test } from "vitest";
import { configurations, start } from "../protocol/configurations.ts";
import { explore } from "../protocol/explore.ts";
import { sentences } from "../protocol/sentences.ts";

const searches = Object.entries(configurations).flatMap(([name, configuration]) =>
  configuration.natures.map((nature) => ({ name, nature, configuration })),
);

test.each(searches)(
  "no interleaving of $name breaks a promise, with a provider that is $nature",
  (search) => {
    const { state, protocol } = start(search.configuration, search.nature);
    const { states, transitions, failure } = explore(state, protocol);
    process.stderr.write(`${search.name}, ${search.nature}: ${states} states, ${transitions} transitions\n`);
    expect(failure && sentences(failure)).toBeNull();
  },
);
