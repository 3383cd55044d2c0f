import { defineConfig } from "vitest/config";
import { deep } from "../../vitest.shared.ts";

/** Many webhooks while everything dies: `pnpm test:webhooks` in the root. */
export default defineConfig({
  test: {
    include: ["test/deep/faults/webhooks-run.ts"],
    globalSetup: [...deep.globalSetup, "test/support/global-setup.ts", "test/deep/faults/program/build.mjs"],
    testTimeout: 3_600_000,
  },
});
