import { defineConfig } from "vitest/config";
import { deep } from "../../vitest.shared.ts";

export default defineConfig({
  test: { ...deep, globalSetup: [...deep.globalSetup, "test/support/global-setup.ts"] },
});
