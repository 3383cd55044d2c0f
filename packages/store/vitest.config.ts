import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    reporters: ["default", ["json", { outputFile: ".reports/vitest.json" }]],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
