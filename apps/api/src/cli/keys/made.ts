import type { CreatedKey, KeyFacts, RotatedKey } from "@cardbridge/domain";
import type { Report } from "../report.ts";
import { expires, nameOf } from "./words.ts";

/** A new key, alone where a pipe takes it. */
export function madeReport(made: CreatedKey): Report {
  return { document: made, text: made.key, note: shownOnce(made) };
}

/** A successor in the same way, and how long its predecessor still works. */
export function rotatedReport(rotated: RotatedKey): Report {
  const { keyId, state, expiresAt } = rotated.predecessor;
  const until = state === "live" ? `still works until ${expiresAt}` : "works no more";
  return { document: rotated, text: rotated.key, note: `${shownOnce(rotated)}\n${keyId} ${until}.` };
}

export function revokedReport(revoked: KeyFacts): Report {
  return { document: revoked, text: `${nameOf(revoked)} is revoked: every further call with it is refused.` };
}

function shownOnce(made: CreatedKey): string {
  return `This is ${nameOf(made)}. It is not shown again. ${expires(made)}`;
}
