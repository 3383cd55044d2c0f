import { defineConfig } from "vitest/config";
import { deep } from "../../vitest.shared.ts";

// The checker of regular expressions would look for a JVM first.
const env = { RECHECK_BACKEND: "pure" };

export default defineConfig({
  test: {
    ...deep,
    env,
    // Each fault runs several processes: more of them at once starve on two cores, and their connections time out.
    maxConcurrency: 5,
    maxWorkers: 3,
    globalSetup: [...deep.globalSetup, "test/support/global-setup.ts", "test/deep/faults/program/build.mjs"],
  },
});
