import { tiers } from "../../vitest.shared.ts";

export default tiers(["test/support/global-setup.ts"]);
