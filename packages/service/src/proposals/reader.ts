import {
  type OperatorScope,
  type ProposalKind,
  type ProposalReader,
  proposalKinds,
} from "@cardbridge/domain";
import type { Call } from "../operation/call.ts";

/** The scope that each act needs, to propose it and to confirm it. */
export const scopeOfKind = {
  approve: "ops.records.decide",
  relink: "ops.users.write",
  erase: "ops.users.write",
  liftHold: "ops.compliance",
} as const satisfies Record<ProposalKind, OperatorScope>;

/** The scopes of persons who decide about at least one kind. */
export const deciderScopes = [...new Set(Object.values(scopeOfKind))];

/** Who reads proposals, and the kinds that the caller may decide. The command line reads and withdraws every kind. */
export function readerOf({ person, scopes, kind: caller }: Call): ProposalReader {
  return {
    personId: person?.personId ?? null,
    kinds: proposalKinds.filter((kind) => caller === "operator" || scopes.has(scopeOfKind[kind])),
  };
}
