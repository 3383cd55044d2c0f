import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.shared.ts";

// The checker of regular expressions would look for a JVM first.
const env = { RECHECK_BACKEND: "pure" };

// Most of these tests wait for processes that they started.
export default defineConfig({
  test: { ...shared, env, maxConcurrency: 8, maxWorkers: 4, globalSetup: ["test/support/global-setup.ts"] },
});
