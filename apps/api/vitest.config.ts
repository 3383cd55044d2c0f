import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.shared.ts";

// The checker of regular expressions would look for a JVM first.
const env = { RECHECK_BACKEND: "pure" };

export default defineConfig({
  test: {
    ...shared,
    env,
    maxConcurrency: 8,
    maxWorkers: 3,
    globalSetup: ["test/support/global-setup.ts", "test/faults/program/build.mjs"],
  },
});
