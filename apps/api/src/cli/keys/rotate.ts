import type { RotatedKey } from "@cardbridge/domain";
import type { Command } from "commander";
import { overlapOption } from "../overlap-option.ts";
import { type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import type { Expiry } from "./expiry.ts";
import { describeCreated } from "./format.ts";
import { expiresOption, keyIdOf } from "./options.ts";

interface Options {
  overlap: number;
  expires?: Expiry;
}

export function addRotate(group: Command, session: Session): void {
  const command = group
    .command("rotate <id>")
    .description(
      "create the successor of a key, and print only the successor on standard output; both work for a while",
    )
    .addOption(overlapOption("how long the old key still works: 0 to 720"))
    .addOption(expiresOption());
  reportAction(command, async (id: string, { overlap: overlapHours, expires }: Options) => {
    const input = { keyId: keyIdOf(id), overlapHours, expiresAt: expires?.at };
    return rotateReport(await session((run) => run(operations.keys.rotate, input)));
  });
}

/** The successor is the only text on standard output, so that a pipe can take it. */
function rotateReport(rotated: RotatedKey): Report {
  const { keyId, state, expiresAt } = rotated.predecessor;
  const end = state === "live" ? `still works until ${expiresAt}` : "no longer works";
  const note = `${describeCreated(rotated)}\n${keyId} ${end}.`;
  return { document: rotated, text: rotated.key, note };
}
