import { tiers } from "../../vitest.shared.ts";

export default tiers(["test/global-setup.ts"]);
