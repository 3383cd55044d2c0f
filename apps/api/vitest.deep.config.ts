import { defineConfig } from "vitest/config";
import { deep } from "../../vitest.shared.ts";

// The checker of regular expressions would look for a JVM first.
const env = { RECHECK_BACKEND: "pure" };

export default defineConfig({
  test: {
    ...deep,
    env,
    maxConcurrency: 8,
    maxWorkers: 3,
    globalSetup: [...deep.globalSetup, "test/support/global-setup.ts", "test/deep/faults/program/build.mjs"],
  },
});
