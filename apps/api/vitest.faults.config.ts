import { defineConfig } from "vitest/config";

/** The long form of the fault suite: `pnpm test:faults` in the root. It may take hours. */
export default defineConfig({
  test: {
    include: ["test/deep/faults/long-run.ts"],
    globalSetup: ["test/support/global-setup.ts", "test/deep/faults/program/build.mjs"],
    testTimeout: 24 * 3_600_000,
  },
});
