import type { RouterOutputs } from "@cardbridge/trpc-client";
import { type Reviewed, stateOf } from "../lib/why.ts";
import { shared } from "../lib/words.ts";

const words = {
  same: "Nothing has changed since.",
  moved: "It has changed since, so a confirmation is refused.",
  movedBeside: "Identifiers or verifications have changed since, so a confirmation is refused.",
  thenUnresolved: "no answer of the provider",
  thenActive: "active",
} as const;

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
    return compared(words.thenUnresolved, answered ? stateOf(record).word : words.thenUnresolved, state);
  }
  if (kind === "liftHold") {
    return compared(words.thenActive, state === "void" ? shared.userActs.holdEnded : words.thenActive, state);
  }
  return compared(userWords(whenProposed), userWords(now), state);
}

function compared(then: string, now: string, state: ProposalDetails["state"]): Compared {
  if (then !== now) return { then, now, isMoved: true, text: words.moved };
  // Identifiers and verifications are part of the version, and are not shown here.
  const isMoved = state === "void";
  return { then, now, isMoved, text: isMoved ? words.movedBeside : words.same };
}

const userWords = ({ erasure, held }: ProposalDetails["now"]): string =>
  [shared.users.erasure[erasure], held && shared.users.held].filter(Boolean).join(" · ");
