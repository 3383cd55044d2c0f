import type { LinkProps } from "@tanstack/react-router";
import type { Me, Proposal } from "../api/shapes.ts";
import type { Meaning } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import { words } from "./words.ts";

/** Who proposed: a name, or that it was the command line. */
export function proposerOf({ proposer, proposedBy }: Proposal, me?: Me): string {
  if (proposer)
    return proposer.personId === me?.personId ? words.you : (proposer.name ?? shared.person.unnamed);
  const [kind, name] = proposedBy.split(":");
  return kind === "claim" && name ? words.commandLineBy(name) : words.commandLine;
}

/** Who proposed, at the beginning of a sentence. */
export function subjectOf(proposal: Proposal): string {
  if (proposal.proposer) return proposerOf(proposal);
  const [kind, name] = proposal.proposedBy.split(":");
  const text = kind === "claim" && name ? words.commandLineOf(name) : words.commandLine;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const meanings: Record<Proposal["state"], Meaning> = {
  open: "waiting",
  confirmed: "good",
  withdrawn: "plain",
  expired: "plain",
  void: "plain",
};

/** The state of a proposal as a word and a meaning. What waits for the reader comes before everything else. */
export const markOf = ({ state, mayConfirm }: Proposal): { word: string; meaning: Meaning } =>
  mayConfirm
    ? { word: words.stateOf.waits, meaning: "attention" }
    : { word: words.stateOf[state], meaning: meanings[state] };

/** What the proposal is about: the record, or the user. */
export const aboutOf = ({ kycRecordId, externalUserId }: Proposal): string => kycRecordId ?? externalUserId;

/** Where a proposal is decided: at its record or its user. */
export function linkOf({ platformId, externalUserId, kycRecordId, kind }: Proposal): LinkProps {
  return kind === "approve" && kycRecordId !== null
    ? { to: "/records/$kycRecordId", params: { kycRecordId } }
    : { to: "/users/$platformId/$externalUserId", params: { platformId, externalUserId } };
}
