import { tiers } from "../../vitest.shared.ts";

/** The settings of the nightly tier, each of which the environment can replace. */
const nightly = {
  ...{ FAULTS_MINUTES: "60", FAULTS_SUBMISSIONS: "10000", MACHINES_SIZE: "150" },
  ...{ HOSTILE_REQUESTS: "200000", VALIDATE_CASES: "100000", HELD_SOCKETS: "2000", HELD_SECONDS: "30" },
  ...{ CLIENT_GENERATORS: "hey-api,openapi-fetch,orval", CLIENT_ANSWERS: "10000" },
};

export default tiers(["test/support/global-setup.ts"], {
  fast: { maxWorkers: 2 },
  deep: {
    // The checker of regular expressions would look for a JVM first.
    env: { RECHECK_BACKEND: "pure" },
    // Each fault runs several processes: more of them at once starve on two cores, and their connections time out.
    maxConcurrency: 5,
    maxWorkers: 3,
    globalSetup: "test/deep/faults/program/build.mjs",
  },
  nightly: {
    include: [
      "test/nightly/*.test.ts",
      // Files of the other tiers, with more cases.
      "test/deep/{hostile/hostile,sockets/held-sockets,generated-clients/generated-clients}.test.ts",
      "test/validation/differential.test.ts",
    ],
    env: Object.fromEntries(Object.entries(nightly).map(([name, size]) => [name, process.env[name] ?? size])),
    globalSetup: "test/deep/faults/program/build.mjs",
  },
});
