import type { RouterOutputs } from "@cardbridge/trpc-client";
import { type Reviewed, stateOf } from "../lib/why.ts";
import { words } from "../words.ts";

const { proposals: say, users, userActs } = words;
type ProposalDetails = RouterOutputs["proposals"]["get"];

interface Compared {
  then: string;
  now: string;
  /** Whether what the proposer saw has changed, so that nobody can confirm it. */
  isMoved: boolean;
  text: string;
}

/**
 * What a proposal is about, when it was proposed and now; undefined until the record's state is known. The service says
 * whether the proposal is void; a state that was read later may say it first.
 */
export function compare(
  { kind, state, whenProposed, now }: Pick<ProposalDetails, "kind" | "state" | "whenProposed" | "now">,
  record: Reviewed | undefined,
): Compared | undefined {
  if (kind === "approve") {
    if (!record) return undefined;
    const answered = record.resolution !== "unresolved";
    return compared(say.thenUnresolved, answered ? stateOf(record).word : say.thenUnresolved, state);
  }
  if (kind === "liftHold") {
    return compared(say.thenActive, state === "void" ? userActs.holdEnded : say.thenActive, state);
  }
  return compared(userWords(whenProposed), userWords(now), state);
}

function compared(then: string, now: string, state: ProposalDetails["state"]): Compared {
  if (then !== now) return { then, now, isMoved: true, text: say.moved };
  // Identifiers and verifications are part of the version, and are not shown here.
  const isMoved = state === "void";
  return { then, now, isMoved, text: isMoved ? say.movedBeside : say.same };
}

const userWords = ({ erasure, held }: ProposalDetails["now"]): string =>
  [users.erasure[erasure], held && users.held].filter(Boolean).join(" · ");
