import { defineConfig } from "vitest/config";
import { deep } from "../../vitest.shared.ts";

/** The long form of the fault suite: `pnpm test:faults` in the root. It may take hours. */
export default defineConfig({
  test: {
    include: ["test/deep/faults/long-run.ts"],
    globalSetup: [...deep.globalSetup, "test/support/global-setup.ts", "test/deep/faults/program/build.mjs"],
    testTimeout: 24 * 3_600_000,
  },
});
