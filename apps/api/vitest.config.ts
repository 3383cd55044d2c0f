import { defineConfig } from "vitest/config";
import { fast } from "../../vitest.shared.ts";

export default defineConfig({
  test: { ...fast, maxWorkers: 2, globalSetup: [...fast.globalSetup, "test/support/global-setup.ts"] },
});
