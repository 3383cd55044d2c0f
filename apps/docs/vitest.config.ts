import { defineConfig } from "vitest/config";
import { fast } from "../../vitest.shared.ts";

export default defineConfig({
  test: { ...fast, globalSetup: [...fast.globalSetup, "test/support/global-setup.ts"] },
});
