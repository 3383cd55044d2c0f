import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The tests wait for deadlines more than they compute.
    maxWorkers: 2,
    reporters: ["default", ["json", { outputFile: ".reports/vitest.json" }]],
  },
});
