import type { RotatedKey } from "@cardbridge/domain";
import { type Command, InvalidArgumentError, Option } from "commander";
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
    .addOption(
      new Option("--overlap <hours>", "how long the old key still works: 0 to 720")
        .argParser(parseHours)
        .default(24),
    )
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

function parseHours(text: string): number {
  if (/^[0-9]{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number of hours from 0 to 720.");
}
