import { tiers } from "../../vitest.shared.ts";

export default tiers([], { fast: { globalSetup: "test/support/global-setup.ts" } });
