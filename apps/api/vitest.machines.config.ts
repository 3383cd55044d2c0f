import { defineConfig } from "vitest/config";
import { deep } from "../../vitest.shared.ts";

/** The drills of several machines in full: `npm run test:machines` in the root. */
export default defineConfig({
  test: {
    include: ["test/deep/machines/long-run.ts"],
    globalSetup: [...deep.globalSetup, "test/support/global-setup.ts"],
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
  },
});
