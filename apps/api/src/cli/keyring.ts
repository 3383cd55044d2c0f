import { keyringStatus, type Rewrapped, rewrapDataKeys } from "@cardbridge/store";
import type { Command } from "commander";
import { withKeys } from "./connect.ts";
import { rewrapReport } from "./keyring/rewrap.ts";
import { statusReport } from "./keyring/status.ts";
import { progressLine } from "./progress.ts";
import { reports } from "./report.ts";

/** `cardbridge keyring`: under which version of KEY_RING users' data keys are, and bringing them under the current one. */
export function addKeyring(program: Command): void {
  const keyring = program.command("keyring").description("the versions of KEY_RING, and who is under each");

  reports(
    keyring
      .command("status")
      .description("count the users under each version, and say which may be taken out"),
    async () => statusReport(await withKeys(keyringStatus)),
  );

  reports(
    keyring
      .command("rewrap")
      .summary("wrap all users' data keys under the current version")
      .description(
        "Wraps every user's data key under the current version, the first of KEY_RING, while the service serves. " +
          "It can be stopped; the next run goes on.",
      ),
    async () => {
      const { onProgress, end } = progressLine<Rewrapped>(({ rewrapped }) => `${rewrapped} users rewrapped`);
      return withKeys(async (database, keys) => {
        const done = await rewrapDataKeys(database, keys, { onProgress }).finally(end);
        return rewrapReport(done, keys.ring.current);
      });
    },
  );
}
