import type { AuditVerified, SealReference } from "@cardbridge/domain";
import { type Command, InvalidArgumentError, Option } from "commander";
import { createProgressLine } from "../progress-line.ts";
import { reportAction } from "../report.ts";
import { operations, type Run, type Session } from "../session.ts";
import { type Verification, verifyReport } from "./verify-report.ts";

export function addVerify(group: Command, session: Session): void {
  const command = group
    .command("verify <platform>")
    .description("verify all entries of a platform by their seals; exit code 1 if anything is wrong")
    .addOption(
      new Option(
        "--known <seal>",
        "a seal that was reported earlier, as number:hash; it has to exist still",
      ).argParser(parseSeal),
    );
  reportAction(command, async (platformId: string, { known }: { known?: SealReference }) => {
    const progress = createProgressLine<Verification>(
      ({ seals, entries }) => `${entries} entries under ${seals} seals`,
    );
    const verifying = session((run) => verifyAll(run, { platformId, known }, progress.update));
    return verifyReport(platformId, await verifying.finally(progress.clear));
  });
}

/** Verifies batch by batch, from the first seal to the last. */
export async function verifyAll(
  run: Run,
  input: { platformId: string; known: SealReference | undefined },
  onProgress: (sum: Verification) => void,
): Promise<Verification> {
  let sum: Verification = { seals: 0, entries: 0, unsealed: 0, last: null, problems: [] };
  let after: number | null = 0;
  while (after !== null) {
    const batch: AuditVerified = await run(operations.audit.verify, { ...input, after });
    sum = {
      seals: sum.seals + batch.seals,
      entries: sum.entries + batch.entries,
      unsealed: batch.unsealed ?? 0,
      last: batch.last ?? sum.last,
      problems: [...sum.problems, ...batch.problems],
    };
    onProgress(sum);
    after = batch.next;
  }
  return sum;
}

function parseSeal(text: string): SealReference {
  const [, number, hash] = /^([1-9]\d{0,9}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number !== undefined && hash !== undefined) return { number: Number(number), hash };
  throw new InvalidArgumentError("Give number:hash, as verify and the log report it.");
}
