import type { Rewrapped } from "@cardbridge/domain";
import type { Command } from "commander";
import { createProgressLine } from "../progress-line.ts";
import { type Report, reportAction } from "../report.ts";
import { operations, type Run, type Session } from "../session.ts";

/** The sum of all batches. */
export type Rewrapping = Omit<Rewrapped, "next">;

export function addRewrap(group: Command, session: Session): void {
  const command = group
    .command("rewrap")
    .summary("re-encrypt the keys of all users, unused files and webhook endpoints under the current version")
    .description(
      "Re-encrypts the key of every user and unused file under the current version, the first of KEY_RING, without " +
        "downtime. " +
        "You can stop the command: the next run continues.",
    );
  reportAction(command, async () => {
    const progress = createProgressLine<Rewrapping>(({ rewrapped }) => `${rewrapped} keys rewrapped`);
    const rewrapping = session((run) => rewrapAll(run, progress.update), ["keys"]);
    return rewrapReport(await rewrapping.finally(progress.clear));
  });
}

/** Rewraps batch by batch until no key is left. */
export async function rewrapAll(run: Run, onProgress: (sum: Rewrapping) => void): Promise<Rewrapping> {
  let { next, ...sum } = await run(operations.encryptionKeys.rewrap, {});
  onProgress(sum);
  while (next !== null) {
    const batch = await run(operations.encryptionKeys.rewrap, { after: next });
    next = batch.next;
    sum = {
      version: batch.version,
      rewrapped: sum.rewrapped + batch.rewrapped,
      failed: sum.failed + batch.failed,
    };
    onProgress(sum);
  }
  return sum;
}

/** The command fails if a data key could not be rewrapped. */
function rewrapReport(sum: Rewrapping): Report {
  const { version, rewrapped, failed } = sum;
  const text =
    rewrapped === 0 && failed === 0
      ? `Every key is under version ${version} already.`
      : `${rewrapped} keys are under version ${version} now.`;
  const problem =
    failed > 0
      ? `${failed} keys are not: this KEY_RING does not open them, and they stay as they are.`
      : undefined;
  return { document: sum, text, problem };
}
