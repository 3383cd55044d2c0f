import { defineConfig } from "vitest/config";
import { deep } from "../../vitest.shared.ts";

export default defineConfig({ test: deep });
