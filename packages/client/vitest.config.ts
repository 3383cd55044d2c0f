import { tiers } from "../../vitest.shared.ts";

export default tiers(["test/support/global-setup.ts"], {
  nightly: {
    include: ["test/deep/{faults,runtimes}.test.ts"],
    env: { CLIENT_SUBMISSIONS: process.env.CLIENT_SUBMISSIONS ?? "1000" },
  },
});
